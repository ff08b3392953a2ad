import { resolve } from 'node:path'
import { publicPackages } from '../packages.ts'
import { wordless } from './wordless.ts'

const root = resolve(import.meta.dirname, '../../../..')
const found = wordless(root, publicPackages(root))
for (const { file, line, name } of found) console.error(`${file}:${line} ${name} has no words`)
if (found.length > 0) {
  console.error(`${found.length} exported names say nothing when hovered over: give each a TSDoc comment`)
  process.exitCode = 1
}
