import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('the program in the README is the one in own-store.test.ts', async () => {
  const read = (name: string) => readFile(join(import.meta.dirname, name), 'utf8')
  expect(await read('../README.md')).toContain(`\`\`\`ts\n${await read('own-store.test.ts')}\`\`\`\n`)
})
