import { expect, onTestFinished, test, vi } from 'vitest'
import { heldReceiver, receiver } from '../receiver.ts'
import { scene } from '../scene.ts'

test('a delivery whose lease ended goes to another worker, whose result a late one does not overwrite', async () => {
  const { storage, merchant, outcome, worker, delivery, clock, pass, lines } = scene()
  const slow = await heldReceiver()
  const fast = await receiver()
  await merchant('m1', slow.url)
  await outcome('m1')
  const late = worker().deliverDue()
  await slow.got(1)
  pass(15)
  expect(await worker().deliverDue()).toEqual({ delivered: 0, failed: 0 })

  pass(1)
  await storage.merchants.update('m1', { webhookUrl: fast.url }, clock().toISOString())
  expect(await worker().deliverDue()).toEqual({ delivered: 1, failed: 0 })
  const taken = await delivery('m1')
  slow.release(410)
  expect(await late).toEqual({ delivered: 0, failed: 1 })
  expect(await delivery('m1')).toEqual(taken)
  expect(taken).toMatchObject({ state: 'delivered', attempts: 1, lastStatus: 200 })
  expect(lines.at(-1)?.message).toBe('webhook taken over before its result was written')
})

test('a delivery sent again by the host while it is tried is not overwritten either', async () => {
  const { storage, merchant, outcome, worker, delivery, clock } = scene()
  const hook = await heldReceiver()
  await merchant('m1', hook.url)
  await outcome('m1')
  const attempt = worker().deliverDue()
  await hook.got(1)
  const again = await storage.deliveries.requeue({ merchantId: 'm1', paymentId: 1 }, clock().toISOString())
  hook.release()
  await attempt
  expect(await delivery('m1')).toEqual(again)
})

test('what waited until its lease was nearly over is not attempted, and comes back', async () => {
  const { merchant, outcome, worker, delivery, pass } = scene()
  const hook = await heldReceiver()
  await merchant('m1', hook.url)
  await outcome('m1')
  await outcome('m1')
  const it = worker({ concurrency: 1 })
  const first = it.deliverDue()
  await hook.got(1)
  pass(12)
  hook.release()
  expect(await first).toEqual({ delivered: 1, failed: 0 })
  expect(await delivery('m1', 2)).toMatchObject({ state: 'pending', attempts: 0 })
  expect(await it.deliverDue()).toEqual({ delivered: 0, failed: 0 })

  pass(4)
  const second = it.deliverDue()
  await hook.got(2)
  hook.release()
  expect(await second).toEqual({ delivered: 1, failed: 0 })
})

test('an attempt that can just end before its lease does is made', async () => {
  const { merchant, outcome, worker, pass } = scene()
  const hook = await heldReceiver()
  await merchant('m1', hook.url)
  await outcome('m1')
  await outcome('m1')
  const counts = worker({ concurrency: 1 }).deliverDue()
  await hook.got(1)
  pass(11)
  hook.release()
  await hook.got(2)
  hook.release()
  expect(await counts).toEqual({ delivered: 2, failed: 0 })
})

test('a result that the storage refuses at first is written when it takes it', async () => {
  const { storage, merchant, outcome, worker, delivery, lines } = scene()
  const hook = await receiver()
  await merchant('m1', hook.url)
  await outcome('m1')
  let tries = 0
  const deliveries = {
    ...storage.deliveries,
    async record(result: Parameters<typeof storage.deliveries.record>[0]) {
      if (++tries < 3) throw new Error('the database is away')
      return storage.deliveries.record(result)
    },
  }
  expect(await worker({}, { deliveries }).deliverDue()).toEqual({ delivered: 1, failed: 0 })
  expect(await delivery('m1')).toMatchObject({ state: 'delivered', attempts: 1 })
  expect(hook.received).toHaveLength(1)
  expect(lines.filter(({ level }) => level === 'error').map(({ message }) => message)).toEqual([
    'webhook result not written',
    'webhook result not written',
  ])
})

test('a result that was written though the storage failed to say so is told of like any other', async () => {
  const { storage, merchant, outcome, worker, delivery, events, lines } = scene()
  const hook = await receiver()
  await merchant('m1', hook.url)
  await outcome('m1')
  let told = 0
  events.on('delivered', () => {
    told += 1
  })
  let tries = 0
  const deliveries = {
    ...storage.deliveries,
    async record(result: Parameters<typeof storage.deliveries.record>[0]) {
      const written = await storage.deliveries.record(result)
      if (++tries === 1) throw new Error('the connection is gone')
      return written
    },
  }
  expect(await worker({}, { deliveries }).deliverDue()).toEqual({ delivered: 1, failed: 0 })
  expect(await delivery('m1')).toMatchObject({ state: 'delivered', attempts: 1 })
  expect([tries, told, lines.filter(({ level }) => level === 'warn')]).toEqual([2, 1, []])
})

test('a result is given to the storage eight times at most, however long its lease lasts', async () => {
  const { storage, merchant, outcome, worker, delivery } = scene()
  const hook = await receiver()
  await merchant('m1', hook.url)
  await outcome('m1')
  let tries = 0
  const deliveries = {
    ...storage.deliveries,
    record(): Promise<boolean> {
      tries += 1
      return Promise.reject(new Error('the database is away'))
    },
  }
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let isOver = false
  const counts = worker({}, { deliveries })
    .deliverDue()
    .finally(() => {
      isOver = true
    })
  const hasWaited = async () => {
    if (tries > 0) await vi.advanceTimersByTimeAsync(1000)
    return isOver
  }
  await vi.waitUntil(hasWaited, { timeout: 120_000 })
  expect([tries, await counts]).toEqual([8, { delivered: 1, failed: 0 }])
  expect(await delivery('m1')).toMatchObject({ state: 'pending', attempts: 0 })
})

test('a result that the storage never takes costs a repeat, not the delivery', async () => {
  const { storage, merchant, outcome, worker, delivery, pass } = scene()
  const hook = await receiver()
  await merchant('m1', hook.url)
  await outcome('m1')
  let tries = 0
  const deliveries = {
    ...storage.deliveries,
    async record(): Promise<boolean> {
      tries += 1
      pass(60)
      throw new Error('the database is away')
    },
  }
  await worker({}, { deliveries }).deliverDue()
  // By then its lease is over.
  expect(tries).toBe(1)
  expect(await delivery('m1')).toMatchObject({ state: 'pending', attempts: 0 })
  expect(await worker().deliverDue()).toEqual({ delivered: 1, failed: 0 })
  expect(hook.received.map(({ headers }) => headers['webhook-id'])).toEqual(['m1:1', 'm1:1'])
})

test('nor is it taken for the result of another payment, that got the id in an older state of the database', async () => {
  const [before, restored] = [scene(), scene({ from: '2026-11-20T09:40:00.000Z' })]
  const hook = await receiver()
  for (const { merchant } of [before, restored]) await merchant('m1', hook.url)
  await before.outcome('m1')
  let now = before.storage.deliveries
  const deliveries: typeof now = {
    ...now,
    claim: request => now.claim(request),
    attempts: (...of) => now.attempts(...of),
    async record(result) {
      if (now === restored.storage.deliveries) return now.record(result)
      before.pass(60)
      throw new Error('the database is away')
    },
  }
  const worker = before.worker({}, { deliveries })
  await worker.deliverDue()
  expect(hook.received).toHaveLength(1)

  now = restored.storage.deliveries
  await restored.outcome('m1', { totalAmount: 300 })
  // Its first lease is of a worker that was killed.
  const leaseUntil = new Date(restored.clock().getTime() + 60_000).toISOString()
  const [killed] = await now.claim({ now: restored.clock().toISOString(), leaseUntil, limit: 1 })
  expect(killed).toMatchObject({ paymentId: 1, payment: { totalAmount: 300 } })
  restored.pass(120)
  before.pass((restored.clock().getTime() - before.clock().getTime()) / 1000)
  expect(await worker.deliverDue()).toEqual({ delivered: 1, failed: 0 })
  expect(hook.received.map(({ body }) => /totalamount%22%3A(\d+)/i.exec(body)?.[1])).toEqual(['1250', '300'])
})
