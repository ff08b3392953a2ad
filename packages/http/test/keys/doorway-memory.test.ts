import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const program = join(import.meta.dirname, 'programs/many-addresses.ts')

test.each([
  ['refuses', 429],
  ['lets in', 401],
])('of addresses that a limiter %s nothing is kept once they are answered', async (answers, status) => {
  const flags = ['--conditions=@tillkit/source', '--no-warnings', '--expose-gc']
  const { stdout } = await run(process.execPath, [...flags, program, answers, '20000'])
  const { asked, statuses, heap } = JSON.parse(stdout)
  expect([asked, statuses]).toEqual([20_000, [status]])
  // Kept, each would be some 200 bytes: 3 MB from the first look to the last.
  expect(heap.at(-1) - heap[0]).toBeLessThan(1_000_000)
})
