import { copyFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '@tillkit/servers'
import { start, succeed } from '../command.ts'
import { OF_HOSTS } from '../nodes.ts'
import { askServer } from '../server.ts'
import type { Visit } from '../stay.ts'

const PROGRAMS = join(import.meta.dirname, '../../programs')
const PACKAGES = ['checkout', 'http', 'node', 'storage-kysely', 'till'].map(name => `@tillkit/${name}`)
const FORMATS = { esm: 'mjs', cjs: 'cjs' }

/** `require` for the CommonJS modules in a bundle that is an ES module: pg is made of such. */
const REQUIRE = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)"

/** A host that esbuild made one file of, as an ES module and as CommonJS, where nothing else is but a native module. */
export const bundlesVisit: Visit = async ({ nodes, results, folder, database }) => {
  const of = 'a bundle of a host'
  const made = await folder('bundled')
  const bare = await folder('where a bundle is')
  const installed = await results.try(of, 'npm install', '24.21.0', async () => {
    await made.install([...PACKAGES, 'pg', 'esbuild'])
    await bare.install(['better-sqlite3'])
  })
  if (!installed) return
  for (const name of await readdir(PROGRAMS)) await copyFile(join(PROGRAMS, name), join(made.path, name))
  for (const engine of ['sqlite', 'postgres']) {
    for (const [format, extension] of Object.entries(FORMATS)) {
      const file = join(bare.path, `${engine}.${extension}`)
      const options = [
        '--bundle',
        '--platform=node',
        '--external:better-sqlite3',
        '--external:pg-native',
        '--log-level=warning',
      ]
      if (format === 'esm' && engine === 'postgres') options.push(`--banner:js=${REQUIRE}`)
      const words = [`bundled-${engine}.mjs`, `--format=${format}`, `--outfile=${file}`, ...options]
      const program = join('node_modules', 'esbuild', 'bin', 'esbuild')
      for (const version of OF_HOSTS) {
        await results.try(of, `${engine}, ${format}`, version, async () => {
          await succeed([program, ...words], { cwd: made.path, node: nodes[version] })
          const port = await freePort()
          const env = { PORT: String(port), DATABASE_URL: engine === 'postgres' ? await database() : '' }
          const child = start(['node', file], { cwd: bare.path, node: nodes[version], env })
          await askServer({ child, port, printsAddress: true })
        })
      }
    }
  }
}
