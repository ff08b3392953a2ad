import { createClient } from '@tillkit/client'

// Walks all payments, and says how many there were and the heap in use, garbage collected, as it goes.
const [baseUrl = '', apiKey = '', looks = '10'] = process.argv.slice(2)
const shop = createClient({ baseUrl, apiKey })
const { total } = await shop.payments.list({ perPage: 1 })
const every = Math.floor(total / Number(looks))
const heap: number[] = []
let count = 0
for await (const { id } of shop.payments.all()) {
  count += 1
  if (id !== total - count + 1) throw new Error(`payment ${id} came as number ${count}`)
  if (count % every !== 0) continue
  globalThis.gc?.()
  heap.push(process.memoryUsage().heapUsed)
}
console.log(JSON.stringify({ count, heap }))
