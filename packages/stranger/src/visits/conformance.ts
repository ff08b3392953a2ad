import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { OF_HOSTS } from '../nodes.ts'
import { runProgram } from '../program.ts'
import type { Visit } from '../stay.ts'

const PACKAGES = ['conformance', 'http', 'node', 'storage', 'till'].map(name => `@tillkit/${name}`)

/** A host that tries itself, by the command that `@tillkit/conformance` brings. */
export const conformanceVisit: Visit = async ({ nodes, results, folder }) => {
  const of = '@tillkit/conformance'
  const host = await folder('conformance')
  const source = await readFile(join(import.meta.dirname, '../../programs/conformance.mjs'), 'utf8')
  const program = { name: 'its command', language: 'js', source, isTest: false } as const
  if (!(await results.try(of, 'npm install', '24.21.0', () => host.install(PACKAGES)))) return
  for (const version of OF_HOSTS) {
    await results.try(of, 'npx tillkit-conformance', version, () =>
      runProgram(host, program, { node: nodes[version], run: `on-${version}` }),
    )
  }
}
