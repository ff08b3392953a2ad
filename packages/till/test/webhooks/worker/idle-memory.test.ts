import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const program = join(import.meta.dirname, '../programs/idle-worker.ts')

test.each(['nothing', 'errors'])('a worker that is answered %s keeps none of its waits', async answers => {
  const flags = ['--conditions=@tillkit/source', '--no-warnings', '--expose-gc']
  const { stdout } = await run(process.execPath, [...flags, program, answers, '20000'])
  const { asked, heap } = JSON.parse(stdout)
  expect(asked).toBe(20_000)
  // Kept, each wait would be some 300 bytes: 5 MB from the first look to the last.
  expect(heap.at(-1) - heap[0]).toBeLessThan(2_000_000)
})
