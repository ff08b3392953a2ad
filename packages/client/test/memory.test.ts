import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openShop } from './shop.ts'
import { serveTill } from './sockets.ts'

const run = promisify(execFile)
const program = join(import.meta.dirname, 'programs/heap-of-all.ts')

test('payments.all keeps none of what it has given', async () => {
  const { till, apiKey, pay } = await openShop()
  const there = 20_000
  for (let i = 0; i < there; i++) await pay()
  const baseUrl = `http://127.0.0.1:${await serveTill(till)}/v1`
  const flags = ['--conditions=@tillkit/source', '--no-warnings', '--expose-gc']
  const { stdout } = await run(process.execPath, [...flags, program, baseUrl, apiKey])
  const { count, heap } = JSON.parse(stdout)
  expect(count).toBe(there)
  // Kept, each payment would be some 500 bytes: 9 MB from the first look to the last.
  expect(heap.at(-1) - heap[0]).toBeLessThan(2_000_000)
})
