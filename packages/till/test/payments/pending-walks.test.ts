import { getEventListeners } from 'node:events'
import { memoryStorage } from '@tillkit/storage/memory'
import { expect, test } from 'vitest'
import { collected } from '../logging/collected.ts'
import { tillOf } from '../till-of.ts'

test('all that is stale is failed, whichever merchants the pages of it end in', async () => {
  const { till, clock, pay } = await tillOf()
  const codes = new Map<string, string>()
  for (const id of ['bakery', 'kiosk', 'zoo']) {
    await till.merchants.create({ id, name: id })
    codes.set(id, (await till.scanCodes.create(id)).code)
  }
  const payments = async (merchantId: string, count: number) => {
    for (let n = 0; n < count; n++) await pay({ scanCode: codes.get(merchantId) ?? '' })
  }
  await payments('zoo', 100)
  clock.now = new Date('2026-11-20T09:31:00Z')
  await payments('kiosk', 100)
  await payments('bakery', 100)
  await pay()
  clock.now = new Date('2026-11-20T09:40:00Z')
  expect(await till.payments.failStale({ olderThanSeconds: 60 })).toBe(301)
  expect(await till.payments.unresolved({ olderThanSeconds: 0 })).toEqual({ items: [], after: null })
})

test('once its signal has ended a run no lookup is begun, also where the storage was being read', async () => {
  const storage = memoryStorage()
  const { till, pay } = await tillOf({ storage })
  await pay()
  await pay()
  const controller = new AbortController()
  const { pendingSince } = storage.payments
  storage.payments.pendingSince = async range => {
    const found = await pendingSince(range)
    controller.abort()
    return found
  }
  const asked: number[] = []
  const counts = await till.payments.reconcile(
    ({ id }) => {
      asked.push(id)
      return { status: 'completed' }
    },
    { olderThanSeconds: 0, signal: controller.signal },
  )
  expect(asked).toEqual([])
  expect(counts).toEqual({ completed: 0, failed: 0, pending: 0, unknown: 0, errors: 0 })
})

test('nothing of a run stays behind: no timer that keeps the process alive, no listener of its signal', async () => {
  const { till, pay } = await tillOf()
  for (let n = 0; n < 20; n++) await pay()
  const { signal } = new AbortController()
  const timers = () => process.getActiveResourcesInfo().filter(one => one === 'Timeout').length
  const before = timers()
  await till.payments.reconcile(() => ({ status: 'pending' }), { olderThanSeconds: 0, signal })
  expect(timers()).toBeLessThan(before + 20)
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('when many stale payments cannot be failed, the first are logged one by one and then how many there were', async () => {
  const storage = memoryStorage()
  const { logger, lines } = collected()
  const { till, pay } = await tillOf({ storage, logger })
  for (let n = 0; n < 21; n++) await pay()
  storage.payments.resolve = async () => {
    throw new Error('the database is away')
  }
  expect(await till.payments.failStale({ olderThanSeconds: 0 })).toBe(0)
  const each = 'a stale payment was not failed'
  expect(lines.map(([, , message]) => message)).toEqual([
    ...Array(20).fill(each),
    'failStale failed for more than are logged',
  ])
  expect(lines.at(-1)?.[1]).toEqual({ failures: 21 })
})

test('a storage that answers with the same page again ends a run, which would never end', async () => {
  const storage = memoryStorage()
  const { till, pay } = await tillOf({ storage })
  for (let n = 0; n < 101; n++) await pay()
  const { pendingSince } = storage.payments
  let reads = 0
  storage.payments.pendingSince = async range => {
    if (++reads > 5) return []
    return pendingSince({ ...range, after: undefined })
  }
  const run = till.payments.reconcile(() => ({ status: 'pending' }), { olderThanSeconds: 0 })
  await expect(run).rejects.toThrow('the storage lists pending payments out of their order')
})

test('a pending payment that cannot be read counts as an error, and is logged', async () => {
  const storage = memoryStorage()
  const { logger, lines } = collected()
  const { till, pay } = await tillOf({ storage, logger })
  await pay()
  await pay()
  const { pendingSince } = storage.payments
  storage.payments.pendingSince = async range =>
    (await pendingSince(range)).map(found => (found.id === 1 ? { ...found, payment: null } : found))
  const counts = await till.payments.reconcile(() => ({ status: 'completed' }), { olderThanSeconds: 0 })
  expect(counts).toEqual({ completed: 1, failed: 0, pending: 0, unknown: 0, errors: 1 })
  const payment = { merchantId: 'shop', paymentId: 1 }
  expect(lines).toEqual([['error', payment, 'a pending payment cannot be read']])
})

test.each([null, undefined])('a lookup that answers %s is told what it may answer', async answer => {
  const { logger, lines } = collected()
  const { till, pay } = await tillOf({ logger })
  await pay()
  const counts = await till.payments.reconcile((() => answer) as never, { olderThanSeconds: 0 })
  expect(counts).toMatchObject({ errors: 1 })
  expect(lines[0]?.[1]).toMatchObject({
    error: 'lookup must answer an object whose status is completed, error, pending or unknown',
  })
})

test('what has been pending for long is told by the time that the database has now, not by what was known of it', async () => {
  const storage = memoryStorage()
  let hours = 0
  storage.time = async () => new Date(Date.now() + hours * 3_600_000)
  const { till, pay } = await tillOf({ storage, clock: undefined })
  await pay()
  await pay()
  const options = { olderThanSeconds: 1800 }
  const lookup = ({ id }: { id: number }) => ({
    status: id === 1 ? ('completed' as const) : ('unknown' as const),
  })
  expect(await till.payments.reconcile(lookup, options)).toMatchObject({ completed: 0, unknown: 0 })
  hours = 1
  expect(await till.payments.reconcile(lookup, options)).toMatchObject({ completed: 1, unknown: 1 })
  hours = 0
  expect(await till.payments.failStale(options)).toBe(0)
  hours = 1
  expect(await till.payments.failStale(options)).toBe(1)
})
