import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { OF_MERCHANTS } from '../nodes.ts'
import { runProgram } from '../program.ts'
import type { Visit } from '../stay.ts'

/** What merchants install on anything, alone, and what reads its results. */
const PACKAGES: Record<string, string[]> = {
  'webhook-signer': [],
  qr: ['jsqr', 'pngjs'],
  client: [],
}

/** A visit for each package that merchants install: what it is for, on the oldest Node that it is promised for and on newer ones. */
export const merchantVisits: Visit[] = Object.entries(PACKAGES).map(([name, readers]) => async stay => {
  const { nodes, results } = stay
  const of = `@tillkit/${name}`
  const folder = await stay.folder(`merchant ${name}`)
  const source = await readFile(join(import.meta.dirname, `../../programs/${name}.mjs`), 'utf8')
  const program = { name, language: 'js', source, isTest: false } as const
  if (!(await results.try(of, 'npm install, alone', '24.21.0', () => folder.install([of, ...readers]))))
    return
  for (const version of OF_MERCHANTS) {
    await results.try(of, 'what it is for', version, () =>
      runProgram(folder, program, { node: nodes[version], run: `on-${version}` }),
    )
  }
})
