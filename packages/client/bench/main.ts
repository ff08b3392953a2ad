import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** Heap in use at the end of a walk over so many payments, by a process of its own, from a server in another. */
async function heapAfter(payments: number): Promise<{ most: number; growth: number }> {
  const flags = ['--conditions=@tillkit/source', '--no-warnings']
  const server = fork(join(import.meta.dirname, 'serve-payments.ts'), [String(payments)], {
    execArgv: [...flags, '--max-old-space-size=4096'],
  })
  try {
    const [{ baseUrl, apiKey }] = await once(server, 'message')
    const program = join(import.meta.dirname, '../test/programs/heap-of-all.ts')
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [...flags, '--expose-gc', program, baseUrl, apiKey],
      { encoding: 'utf8' },
    )
    if (stdout === '') throw new Error(stderr)
    const { count, heap } = JSON.parse(stdout) as { count: number; heap: number[] }
    if (count !== payments) throw new Error(`${count} of ${payments} payments were given`)
    return { most: Math.max(...heap), growth: (heap.at(-1) ?? 0) - (heap[0] ?? 0) }
  } finally {
    server.kill()
  }
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
const sizes = (process.argv[2] ?? '10000,100000').split(',').map(Number)
const found = []
for (const payments of sizes) {
  const heap = await heapAfter(payments)
  found.push(heap)
  console.log(
    `payments.all over ${payments}: heap ${megabytes(heap.most)} at most, ${megabytes(heap.growth)} more at the end than after a tenth`,
  )
}
console.log(`ratio ${((found.at(-1)?.most ?? 0) / (found[0]?.most ?? 1)).toFixed(2)}`)
