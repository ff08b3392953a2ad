import type { DeliveryStore } from '@tillkit/storage'
import { expect, onTestFinished, test, vi } from 'vitest'
import { heldReceiver } from '../receiver.ts'
import { scene } from '../scene.ts'

test('while more may be due than was claimed, no place is kept for what is new, though there is room', async () => {
  const { storage, merchant, outcome, worker } = scene()
  const hook = await heldReceiver()
  for (let n = 0; n < 9; n++) {
    await merchant(`m${n}`, hook.url)
    await outcome(`m${n}`)
  }
  const [asked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let claims = 0
  const deliveries = {
    ...storage.deliveries,
    async claim(request: Parameters<DeliveryStore['claim']>[0]) {
      if (++claims === 2) {
        asked.resolve()
        await goOn.promise
      }
      return storage.deliveries.claim(request)
    },
  }
  const it = worker({ concurrency: 4 }, { deliveries })
  it.start()
  // Of eight that were claimed two are posted to the origin, and the rest waits.
  await asked.promise
  expect(it.keepPlace('new')).toBe(null)
  goOn.resolve()
  const place = await vi.waitUntil(() => it.keepPlace('new'), { timeout: 60_000 })
  place.take()
  const stop = it.stop()
  hook.release()
  expect(await stop).toMatchObject({ attempts: 2, givenBack: 7 })
})

test('a place is kept for what is new while most of what was claimed is put off, though more may be due', async () => {
  const { storage, merchant, outcome, worker, clock } = scene()
  const hook = await heldReceiver()
  await merchant('dead', hook.url)
  for (let n = 0; n < 9; n++) await outcome('dead')
  const [asked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const claimed: number[] = []
  const deliveries = {
    ...storage.deliveries,
    async claim(request: Parameters<DeliveryStore['claim']>[0]) {
      if (claimed.length === 1) {
        asked.resolve()
        await goOn.promise
      }
      const some = await storage.deliveries.claim(request)
      claimed.push(some.length)
      return some.map(delivery => ({ ...delivery, failingSince: clock().toISOString() }))
    },
  }
  const it = worker({ concurrency: 4 }, { deliveries })
  it.start()
  // One is posted, and two wait for it.
  await asked.promise
  expect(claimed).toEqual([8])
  const place = it.keepPlace('new')
  expect(place).not.toBe(null)
  place?.take()
  await hook.got(1)
  goOn.resolve()
  const stop = it.stop()
  hook.release()
  expect(await stop).toMatchObject({ attempts: 1 })
})

test('deliverDue goes on at once when room has come while it claimed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { storage, merchant, outcome, worker } = scene()
  const hook = await heldReceiver()
  await merchant('m1', hook.url)
  for (let n = 0; n < 3; n++) await outcome('m1')
  const [asked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const left: (readonly string[] | undefined)[] = []
  const deliveries = {
    ...storage.deliveries,
    async claim(request: Parameters<DeliveryStore['claim']>[0]) {
      left.push(request.exceptMerchants)
      const claimed = await storage.deliveries.claim(request)
      if (left.length === 2) {
        asked.resolve()
        await goOn.promise
      }
      return claimed
    },
  }
  const counts = worker({ concurrency: 1 }, { deliveries }).deliverDue()
  await asked.promise
  await hook.got(1)
  hook.release()
  await hook.got(2)
  goOn.resolve()
  // No time passes.
  hook.release()
  await hook.got(3)
  hook.release()
  expect(await counts).toEqual({ delivered: 3, failed: 0 })
  expect(left).toEqual([[], ['m1'], []])
})

test('a worker that had to wait until it holds less claims more at once when it does', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { merchant, outcome, worker } = scene()
  const hook = await heldReceiver()
  for (let n = 0; n < 12; n++) {
    await merchant(`m${n}`, hook.url)
    await outcome(`m${n}`)
  }
  worker({ concurrency: 1 }).start()
  // It holds eight at most, and no time passes.
  for (let n = 1; n <= 12; n++) {
    await hook.got(n)
    hook.release()
  }
})

test('a worker that can fill its places from what it holds leaves the rest to others', async () => {
  const { storage, merchant, outcome, worker } = scene()
  const hooks = await Promise.all(Array.from({ length: 12 }, () => heldReceiver()))
  let claimed = 0
  const deliveries = {
    ...storage.deliveries,
    async claim(request: Parameters<DeliveryStore['claim']>[0]) {
      const some = await storage.deliveries.claim(request)
      claimed += some.length
      return some
    },
  }
  const it = worker({ concurrency: 4 }, { deliveries })
  const releasing = setInterval(() => {
    for (const { release } of hooks) release()
  }, 1)
  for (const [n, { url }] of hooks.entries()) {
    await merchant(`m${n}`, url)
    await outcome(`m${n}`)
  }
  expect(await it.deliverDue()).toEqual({ delivered: 12, failed: 0 })
  clearInterval(releasing)
  for (const n of hooks.keys()) await outcome(`m${n}`)
  claimed = 0
  it.start()
  await Promise.all(hooks.slice(0, 4).map(({ got }) => got(2)))
  for (let turn = 0; turn < 20; turn++) await new Promise(resolve => setImmediate(resolve))
  expect(claimed).toBe(8)
  const stop = it.stop()
  for (const { release } of hooks) release()
  expect(await stop).toMatchObject({ attempts: 4, givenBack: 4 })
})
