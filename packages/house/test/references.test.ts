import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { brokenReferences } from '../src/references/references.ts'

const API = '# The API\n\n## 4. Calls\n\n### 4.2 GET /payments/{id}\n'

function broken(files: Record<string, string>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'house-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const [file, text] of Object.entries({ 'docs/api.md': API, ...files })) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  return brokenReferences(root)
}

test('sections that the page has are found', () => {
  const comment = '/** Lists (API 4.2), as API 4 and 4.2 have it: API 4, 4.2 to 4.2. */'
  const readme = '[one](../../docs/api.md#42-get-paymentsid) [other](other.md#nowhere) [own](#nowhere)'
  expect(broken({ 'packages/till/src/a/b.ts': comment, 'packages/till/README.md': readme })).toEqual([])
})

test.each([
  ['packages/till/src/a.ts', '\n/** (API 4.3) */', 'packages/till/src/a.ts:2 API 4.3'],
  ['examples/demo/src/a.ts', '// API 4, 5.1', 'examples/demo/src/a.ts:1 API 5.1'],
  ['packages/till/src/a.ts', '// specification 4.2', 'packages/till/src/a.ts:1 specification 4.2'],
  ['packages/till/README.md', '[x](../../docs/api.md#43-none)', 'packages/till/README.md:1 #43-none'],
  ['docs/api.md', `${API}[x](#43-none)`, 'docs/api.md:6 #43-none'],
])('what leads nowhere is named: %s, %s', (file, text, found) => {
  expect(broken({ [file]: text })).toEqual([found])
})
