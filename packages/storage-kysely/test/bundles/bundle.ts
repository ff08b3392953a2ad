import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const DRIVERS = ['better-sqlite3', 'pg', 'mysql2']
const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))

/** A program as a host ships it: one file, in a folder where nothing is installed. */
export interface Bundle {
  folder: string
  file: string
  remove(): Promise<void>
}

/** Bundles `program`, a module's text that may import what this package's tests may, and leaves the drivers outside. */
export async function bundle(program: string, format: 'esm' | 'cjs' = 'esm'): Promise<Bundle> {
  const folder = await mkdtemp(join(tmpdir(), 'tillkit-bundle-'))
  const file = join(folder, format === 'esm' ? 'program.mjs' : 'program.cjs')
  await build({
    stdin: { contents: program, resolveDir: PACKAGE, loader: 'ts' },
    ...{ outfile: file, bundle: true, format, platform: 'node', target: 'node20', logLevel: 'silent' },
    ...{ conditions: ['@tillkit/source'], external: DRIVERS },
    // Bundlers that know one kind of module alone write `require` for `import()`.
    supported: { 'dynamic-import': format === 'esm' },
    // What a bundler of a host's own writes for the modules in it that are of the other kind.
    banner:
      format === 'esm'
        ? {
            js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)`,
          }
        : {},
  })
  return { folder, file, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** How a program ended, and what it said. */
export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

/** Runs it to its end, by the given Node, in its own folder and with nothing of this process's environment. */
export function run(node: string, { folder, file }: Bundle): Promise<Ended> {
  const { HOME, PATH } = process.env
  return new Promise(resolve => {
    const child = execFile(node, [file], { cwd: folder, env: { HOME, PATH } }, (_, stdout, stderr) => {
      resolve({ code: child.exitCode, signal: child.signalCode, stdout, stderr })
    })
  })
}
