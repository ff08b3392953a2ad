import { merchantApi } from '@tillkit/http'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill } from '@tillkit/till'
import { request } from '../../fixture.ts'

// Wrong keys from ever other addresses, refused at their limit or let in: says the heap in use, garbage collected, as it goes.
const [answers = 'refuses', times = '4000', looks = '5'] = process.argv.slice(2)
const used = { remainingPoints: 0, msBeforeNext: 1000 }
const perAddress = {
  consume: async () => used,
  get: async () => (answers === 'refuses' ? used : null),
}
const api = merchantApi(createTill({ storage: memoryStorage(), logger: false }), {
  rateLimits: { perAddress },
})
const statuses = new Set<number>()
const heap: number[] = []
let asked = 0
for (let look = 1; look <= Number(looks); look++) {
  for (; asked < (Number(times) * look) / Number(looks); asked++) {
    const remoteAddress = `10.${asked >> 16}.${(asked >> 8) & 255}.${asked & 255}`
    statuses.add((await api(request('/payments', { apiKey: 'wrong', remoteAddress }))).status)
  }
  globalThis.gc?.()
  heap.push(process.memoryUsage().heapUsed)
}
console.log(JSON.stringify({ asked, statuses: [...statuses], heap }))
