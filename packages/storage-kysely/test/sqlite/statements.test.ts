import { setImmediate } from 'node:timers/promises'
import { type StatementMessage, statementChannel } from '@tillkit/storage/channels'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SqliteStorage, sqliteStorage } from '../../src/sqlite/index.ts'
import { attempt, merchantId, NOW, openShop } from '../faults/shop.ts'

let storage: SqliteStorage
beforeAll(async () => {
  storage = sqliteStorage({ file: ':memory:' })
  await storage.migrate()
  await openShop(storage)
})
afterAll(() => storage.close())

/** What is sent to the database meanwhile, by what it does. */
async function sentBy(work: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = []
  const hear = (message: unknown) => void sent.push((message as StatementMessage).name)
  statementChannel.start.subscribe(hear)
  await work().finally(() => statementChannel.start.unsubscribe(hear))
  return sent
}

const STARTED = ['BEGIN', 'UPDATE tillkit_ledgers', 'INSERT tillkit_payments', 'COMMIT']
const ENDED = ['BEGIN', 'UPDATE tillkit_payments', 'INSERT tillkit_deliveries', 'COMMIT']

test('a start takes the number and writes the payment, with an attempt key or without', async () => {
  expect(await sentBy(() => storage.payments.start(attempt(), NOW))).toEqual(STARTED)
  expect(await sentBy(() => storage.payments.start(attempt({ attemptKey: 'once' }), NOW))).toEqual(STARTED)
})

test('a start that its key has begun before looks for what that was, and leaves no gap', async () => {
  const { payment } = await storage.payments.start(attempt({ attemptKey: 'twice' }), NOW)
  const again = await storage.payments.start(attempt({ attemptKey: 'twice' }), NOW)
  expect(again).toEqual({ payment, created: false })
  const { payment: next } = await storage.payments.start(attempt(), NOW)
  expect(next.id).toBe(payment.id + 1)
})

test('an outcome writes, and reads only what had its outcome before', async () => {
  const { payment } = await storage.payments.start(attempt(), NOW)
  const resolve = () => storage.payments.resolve(payment, { status: 'completed' }, NOW)
  expect(await sentBy(resolve)).toEqual(ENDED)
  expect(await sentBy(resolve)).toEqual([
    'BEGIN',
    'UPDATE tillkit_payments',
    'SELECT tillkit_payments',
    'COMMIT',
  ])
  expect(await resolve()).toEqual({ payment: { ...payment, status: 'completed' }, changed: false })
})

test('an outcome whose delivery is leased reads what an attempt takes beside the payment', async () => {
  const { payment } = await storage.payments.start(attempt(), NOW)
  const later = '2026-11-20T10:31:00.000Z'
  const resolve = () => storage.payments.resolve(payment, { status: 'completed' }, NOW, null, later)
  const [begin, end, ...rest] = ENDED
  expect(await sentBy(resolve)).toEqual([begin, end, 'SELECT tillkit_merchants', ...rest])
})

test('a start that is refused has taken no number', async () => {
  const { payment } = await storage.payments.start(attempt(), NOW)
  await storage.merchants.suspend(merchantId, NOW)
  await expect(storage.payments.start(attempt(), NOW)).rejects.toThrow('suspended')
  await storage.merchants.resume(merchantId)
  const { payment: next } = await storage.payments.start(attempt(), NOW)
  expect(next.id).toBe(payment.id + 1)
})

test('starts that the event loop hands over one after the other share a transaction', async () => {
  const requests = Array.from({ length: 10 }, async (_, n) => {
    await setImmediate()
    return storage.payments.start(attempt({ userReference: `${n}` }), NOW)
  })
  const sent = await sentBy(() => Promise.all(requests))
  expect(sent.filter(name => name === 'COMMIT')).toHaveLength(1)
  const started = await Promise.all(requests)
  const first = started[0]?.payment.id ?? 0
  expect(started.map(({ payment }) => payment.id)).toEqual(started.map((_, n) => first + n))
})
