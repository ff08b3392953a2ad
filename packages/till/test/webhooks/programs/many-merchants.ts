import { createFairWindow } from '../../../src/webhooks/window/fair-window.ts'
import type { Outcome } from '../../../src/webhooks/worker/attempt.ts'

// A window to which more merchants come than are remembered, each once, at an origin of its own: says the heap in use, garbage
// collected, as it goes.
const [end = 'delivered', merchants = '60000', looks = '5'] = process.argv.slice(2)
const window = createFairWindow(8, () => {})
const of = (n: number) => ({ origin: `origin-${n}`, merchantId: `merchant-${n}`, failing: end === 'put off' })
const never = () => new Promise<Outcome>(() => {})
// What is to be dropped or put off finds all places taken.
for (let n = 1; n <= 100 && end !== 'delivered'; n++) void window.runSoon(of(-n), never, () => {})
if (end === 'dropped') window.close()
const heap: number[] = []
let ended = 0
for (let n = 1; n <= Number(merchants); n++) {
  const outcome =
    end === 'put off'
      ? window.runSoon(of(n), never, () => {})
      : window.run(of(n), async () => 'delivered' as const)
  if ((await outcome) === (end === 'delivered' ? 'delivered' : null)) ended++
  if (n % (Number(merchants) / Number(looks)) !== 0) continue
  globalThis.gc?.()
  heap.push(process.memoryUsage().heapUsed)
}
console.log(JSON.stringify({ ended, heap }))
