import { build, type Format, type Platform } from 'esbuild'

/** What a bundler makes of a program that may import this package. */
export async function bundle(
  program: string,
  { format, platform, minify = false }: { format: Format; platform: Platform; minify?: boolean },
): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: import.meta.dirname, loader: 'ts' },
    ...{ bundle: true, write: false, format, platform, minify, logLevel: 'silent' },
    ...{ globalName: 'signer', target: 'es2022', conditions: ['@tillkit/source'] },
  })
  return outputFiles[0]?.text ?? ''
}
