import { expect, test } from 'vitest'
import { newResults } from '../src/results.ts'
import { table } from '../src/table.ts'

test('a line for each thing, a column for each Node, and a failure is told at once', async () => {
  const printed: string[] = []
  const results = newResults(line => printed.push(line))
  await results.try('@tillkit/qr', 'program 1', '22.0.0', () => {})
  await results.try('@tillkit/qr', 'program 1', '18.0.0', () => Promise.reject(new Error('no crc32')))
  await results.try('@tillkit/http', 'npm install', '22.0.0', () => {})
  expect(table(results.all)).toBe(
    [
      '                            18.0.0  22.0.0',
      '@tillkit/http  npm install          ✓',
      '@tillkit/qr    program 1    ✗       ✓',
    ].join('\n'),
  )
  expect(printed).toEqual(['✗ @tillkit/qr, program 1, Node 18.0.0: no crc32\n'])
})
