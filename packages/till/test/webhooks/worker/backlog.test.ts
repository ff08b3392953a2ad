import { promisify } from 'node:util'
import { memoryStorage } from '@tillkit/storage/memory'
import { expect, onTestFinished, test, vi } from 'vitest'
import { receiver } from '../receiver.ts'
import { tillScene } from '../till-scene.ts'

const MERCHANTS = 600

/** Of this machine's time, whatever time it is made to be. */
const sleep = promisify(setTimeout)

test('a backlog is claimed about as fast as it is delivered, and not to be put off again and again', async () => {
  const hook = await receiver()
  const storage = memoryStorage()
  const { claim } = storage.deliveries
  let claimed = 0
  storage.deliveries.claim = async request => {
    const some = await claim(request)
    claimed += some.length
    return some
  }
  const { till, pass } = await tillScene(null, { storage, webhooks: { concurrency: 8 } })
  for (let n = 0; n < MERCHANTS; n++) {
    await till.merchants.create({ id: `m${n}`, name: 'Shop', webhookUrl: hook.url })
    await till.scanCodes.create(`m${n}`, { code: `CODE-${n}` })
    const payment = await till.payments.start({ scanCode: `CODE-${n}`, totalAmount: 1250 })
    await till.payments.complete(payment)
  }
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  till.webhooks.start()
  while (hook.received.length < MERCHANTS) {
    // Time goes by with the turns of this process, which has the receiver too: what is claimed takes the same on any machine.
    await sleep(1)
    pass(0.001)
    vi.advanceTimersByTime(1)
    // An outcome of a merchant without a webhook URL: it tells the worker to look.
    await till.payments.complete(await till.payments.start({ scanCode: 'CODE', totalAmount: 1250 }))
  }
  vi.useRealTimers()
  await till.webhooks.stop()
  expect(hook.received).toHaveLength(MERCHANTS)
  expect(claimed).toBeLessThan(1.5 * MERCHANTS)
})
