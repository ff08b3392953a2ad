import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fileOf } from './page.ts'

test('the page shows the tests that are run', () => {
  const shown = fileOf('test-your-host.md', 'host.test.ts')
  expect(shown).toBe(readFileSync(join(import.meta.dirname, 'programs/host.test.ts'), 'utf8'))
})
