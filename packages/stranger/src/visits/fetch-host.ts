import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { OF_HOSTS } from '../nodes.ts'
import { runProgram } from '../program.ts'
import type { Visit } from '../stay.ts'

const PACKAGES = [
  '@tillkit/http',
  '@tillkit/till',
  '@tillkit/storage-kysely',
  'better-sqlite3',
  'hono',
  '@hono/node-server',
]

/** A host of Request and Response, as the README of `@tillkit/http` names them. */
export const fetchHostVisit: Visit = async ({ nodes, results, folder }) => {
  const host = await folder('fetch host')
  const source = await readFile(join(import.meta.dirname, '../../programs/fetch-host.mjs'), 'utf8')
  const program = { name: 'a fetch host', language: 'js', source, isTest: false } as const
  if (!(await results.try('a fetch host', 'npm install', '24.21.0', () => host.install(PACKAGES)))) return
  for (const version of OF_HOSTS) {
    await results.try('a fetch host', 'Hono', version, () =>
      runProgram(host, program, { node: nodes[version], run: `on-${version}` }),
    )
  }
}
