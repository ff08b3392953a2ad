import { resolve } from 'node:path'
import { publicPackages } from './packages.ts'
import { brokenReferences } from './references/references.ts'
import { wordless } from './words/wordless.ts'

const root = resolve(import.meta.dirname, '../../..')

const silent = wordless(root, publicPackages(root)).map(({ file, line, name }) => `${file}:${line} ${name}`)
tell(silent, 'say nothing when hovered over: give each a TSDoc comment')
tell(brokenReferences(root), 'lead to no section of docs/api.md')

function tell(found: readonly string[], what: string): void {
  if (found.length === 0) return
  console.error(`${found.join('\n')}\n${found.length} ${what}`)
  process.exitCode = 1
}
