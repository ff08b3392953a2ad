import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const program = join(import.meta.dirname, '../programs/many-merchants.ts')

test.each(['delivered', 'put off', 'dropped'])(
  'of merchants whose delivery was %s no more than ten thousand are kept',
  async end => {
    const flags = ['--conditions=@tillkit/source', '--no-warnings', '--expose-gc']
    const { stdout } = await run(process.execPath, [...flags, program, end, '60000'])
    const { ended, heap } = JSON.parse(stdout)
    expect(ended).toBe(60_000)
    // Kept, each would be some 200 bytes at least: 9 MB from the first look to the last.
    expect(heap.at(-1) - heap[0]).toBeLessThan(4_000_000)
  },
)
