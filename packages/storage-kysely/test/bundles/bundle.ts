import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const DRIVERS = ['better-sqlite3', 'pg', 'mysql2']
const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))

const REQUIRE = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)`

/** A program as a host ships it: one file, in a folder where nothing is installed. */
export interface Bundle {
  folder: string
  file: string
  remove(): Promise<void>
}

/** What a bundle is made like. */
export interface Making {
  /** Packages that are left outside: the drivers, where it does not say. */
  external?: string[]
  /** Whether an ES module gets what a bundler of a host's own writes for the CommonJS modules in it: a `require`. */
  require?: boolean
}

/** Bundles `program`, a module's text that may import what this package's tests may. */
export async function bundle(
  program: string,
  format: 'esm' | 'cjs' = 'esm',
  { external = DRIVERS, require = true }: Making = {},
): Promise<Bundle> {
  const folder = await mkdtemp(join(tmpdir(), 'tillkit-bundle-'))
  const file = join(folder, format === 'esm' ? 'program.mjs' : 'program.cjs')
  await build({
    stdin: { contents: program, resolveDir: PACKAGE, loader: 'ts' },
    ...{ outfile: file, bundle: true, format, platform: 'node', target: 'node20', logLevel: 'silent' },
    ...{ conditions: ['@tillkit/source'], external },
    // Bundlers that know one kind of module alone write `require` for `import()`.
    supported: { 'dynamic-import': format === 'esm' },
    banner: format === 'esm' && require ? { js: REQUIRE } : {},
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
export function run(node: string, { folder, file }: Bundle, args: string[] = []): Promise<Ended> {
  const { HOME, PATH } = process.env
  return new Promise(resolve => {
    const child = execFile(
      node,
      [file, ...args],
      { cwd: folder, env: { HOME, PATH } },
      (_, stdout, stderr) => {
        resolve({ code: child.exitCode, signal: child.signalCode, stdout, stderr })
      },
    )
  })
}
