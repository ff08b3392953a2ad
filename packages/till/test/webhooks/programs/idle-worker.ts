import { mock } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill } from '@tillkit/till'

// A worker for which nobody rings: says how often it asked for work, and the heap in use, garbage collected, as it goes.
const [answers = 'nothing', times = '4000', looks = '5'] = process.argv.slice(2)
const storage = memoryStorage()
let asked = 0
const till = createTill({
  storage: {
    ...storage,
    deliveries: {
      ...storage.deliveries,
      async claim() {
        asked += 1
        if (answers === 'errors') throw new Error('away')
        return []
      },
    },
  },
  logger: false,
  clock: () => new Date(),
})
mock.timers.enable({ apis: ['setTimeout'] })
till.webhooks.start()
const heap: number[] = []
for (let look = 1; look <= Number(looks); look++) {
  while (asked < (Number(times) * look) / Number(looks)) {
    await setImmediate()
    // Longer than it waits for, whatever for.
    mock.timers.tick(60_000)
  }
  globalThis.gc?.()
  heap.push(process.memoryUsage().heapUsed)
}
mock.timers.reset()
await till.close()
console.log(JSON.stringify({ asked, heap }))
