import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runProgram } from '../program.ts'
import type { Visit } from '../stay.ts'

const NODE = '22.23.3'
const OF = '@tillkit/opentelemetry'
const NAMED = 'opentelemetry-2'

/** The SDK that goes with the oldest API that is promised, and the last of its line. */
const SDKS = {
  'OpenTelemetry 1.9.0 with SDK 2.0.0': ['api@1.9.0', 'sdk-metrics@2.0.0', 'sdk-trace-node@2.0.0'],
  'OpenTelemetry 1.9 with SDK 2': ['api@1.9', 'sdk-metrics@2', 'sdk-trace-node@2'],
}

/** A host whose OpenTelemetry is of the line before: the README's own program is for the newest. */
export const sdkTwoVisit: Visit = async stay => {
  const { nodes, results } = stay
  const source = await readFile(join(import.meta.dirname, `../../programs/${NAMED}.mjs`), 'utf8')
  for (const [title, parts] of Object.entries(SDKS)) {
    const folder = await stay.folder(title)
    const words = [OF, '@tillkit/storage', '@tillkit/till', ...parts.map(part => `@opentelemetry/${part}`)]
    if (!(await results.try(OF, `npm install, ${title}`, NODE, () => folder.install(words)))) continue
    const program = { name: NAMED, language: 'js', source, isTest: false } as const
    await results.try(OF, title, NODE, () => runProgram(folder, program, { node: nodes[NODE], run: NAMED }))
  }
}
