import type { Storage } from '@tillkit/storage'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kyselyStorage } from '../../src/index.ts'
import { type HostTables, hostDatabaseAt, PATIENT, placeOf } from '../engines/address.ts'
import type { TestDatabase } from '../engines/engine.ts'
import { inAShop, type Shop } from '../engines/in-a-shop.ts'
import { overEveryServer } from '../engines/index.ts'
import { createUser } from '../engines/user.ts'
import { ALL, attempt, merchantId, NOW, startedCompleted } from '../faults/shop.ts'

const SLICE = { skip: 0, limit: 10 }
const DAY = ['2026-11-20T00:00:00Z', '2026-11-21T00:00:00Z']

/** Every call of a storage that only reads. */
const READS: Record<string, (storage: Storage, reference: string) => Promise<unknown>> = {
  'apiKeys.findMerchant': ({ apiKeys }) => apiKeys.findMerchant('0'.repeat(64), NOW),
  'apiKeys.list': ({ apiKeys }) => apiKeys.list(merchantId),
  'cashUps.list': ({ cashUps }) => cashUps.list(merchantId, SLICE),
  'cashUps.payments': ({ cashUps }, reference) => cashUps.payments(merchantId, reference, SLICE),
  'cashUps.payments, a later page': ({ cashUps }, reference) =>
    cashUps.payments(merchantId, reference, { skip: 1, limit: 1 }),
  'deliveries.get': ({ deliveries }) => deliveries.get({ merchantId, paymentId: 1 }),
  'deliveries.list': ({ deliveries }) => deliveries.list(merchantId, undefined, SLICE),
  'deliveries.attempts': ({ deliveries }) => deliveries.attempts(merchantId, [1]),
  'deliveries.counts': ({ deliveries }) => deliveries.counts(NOW),
  'endpoints.get': ({ endpoints }) => endpoints.get(merchantId),
  'endpoints.failing': ({ endpoints }) => endpoints.failing({ limit: 10 }),
  'endpoints.paused': ({ endpoints }) => endpoints.paused({ limit: 10 }),
  'merchants.get': ({ merchants }) => merchants.get(merchantId),
  'merchants.list': ({ merchants }) => merchants.list({ limit: 10 }),
  'payments.get': ({ payments }) => payments.get({ merchantId, id: 1 }),
  'payments.findAttempt': ({ payments }) => payments.findAttempt(merchantId, 'none'),
  'payments.list': ({ payments }) => payments.list(merchantId, {}, ALL),
  'payments.list of those that failed': ({ payments }) =>
    payments.list(merchantId, { status: ['error', 'pending'] }, SLICE),
  'payments.idRange': ({ payments }) => payments.idRange(merchantId, { startDate: DAY[0], endDate: DAY[1] }),
  'payments.walk': ({ payments }) => payments.walk(merchantId, {}, { first: 1, last: 3 }, 10),
  'payments.pendingSince': ({ payments }) =>
    payments.pendingSince({ date: '2026-11-20T10:00:00Z', limit: 10 }),
  'reports.period, of the open one': ({ reports }) => reports.period(merchantId, null),
  'reports.period, of a closed one': ({ reports }, reference) => reports.period(merchantId, reference),
  'reports.takings': ({ reports }) => reports.takings(merchantId, DAY),
  'reports.takings, of all': ({ reports }) => reports.takings(null, DAY),
  'scanCodes.find': ({ scanCodes }) => scanCodes.find('till-1'),
  'scanCodes.list': ({ scanCodes }) => scanCodes.list(merchantId),
  'settlements.find': ({ settlements }) =>
    settlements.find(merchantId, [{ id: 1, merchantReference: null, authCode: null }], null),
  'settlements.unsettled': ({ settlements }) => settlements.unsettled(merchantId, 1, 3),
  'settlements.list': ({ settlements }) => settlements.list(SLICE),
  'settlements.get': ({ settlements }) => settlements.get('none', SLICE),
  time: async ({ time }) => typeof (await time?.()),
  migrated: async ({ migrated }) => migrated?.(),
}

overEveryServer(({ create }) => {
  const shop: Shop = inAShop(create, beforeAll)
  let db: Kysely<HostTables>
  const references: string[] = []

  beforeAll(async () => {
    db = hostDatabaseAt(shop.database.address)
    const { cashUps, payments } = shop.storage
    for (const reference of ['a'.repeat(32), 'b'.repeat(32)]) {
      await startedCompleted(shop.storage, 2)
      const { payment } = await payments.start(attempt(), NOW)
      await payments.resolve(payment, { status: 'error', failure: null }, NOW)
      await cashUps.create(merchantId, { reference, idempotencyKey: null, now: NOW })
      references.push(reference)
    }
    await payments.start(attempt(), NOW)
  })
  afterAll(() => db.destroy())

  describe('of a user who may only read', () => {
    let user: TestDatabase
    let asUser: Kysely<HostTables>

    beforeAll(async () => {
      user = await createUser(shop.database.address, 'select')
      asUser = hostDatabaseAt(user.address)
    })
    afterAll(async () => {
      await asUser.destroy()
      await user.drop()
    })

    test.each(Object.entries(READS))('%s answers in a transaction', async (_, read) => {
      const [reference = ''] = references
      const { address } = user
      const over = { ...PATIENT, ...placeOf(address) }
      const told = await asUser
        .transaction()
        .execute(trx => read(kyselyStorage(trx, address.dialect, over), reference))
      expect(told).toEqual(await read(shop.storage, reference))
    })
  })

  const within = <Result>(work: (storage: Storage) => Promise<Result>): Promise<Result> => {
    const { address } = shop.database
    const over = { ...PATIENT, ...placeOf(address) }
    const transaction = db.transaction().setAccessMode('read only')
    return transaction.execute(trx => work(kyselyStorage(trx, address.dialect, over)))
  }

  test.each(Object.entries(READS))('%s answers in a transaction that may not write', async (_, read) => {
    const [reference = ''] = references
    const told = await within(inside => read(inside, reference))
    expect(told).toEqual(await read(shop.storage, reference))
  })

  test('a write in one is refused, and says why', async () => {
    const work = within(({ payments }) => payments.start(attempt(), NOW))
    await expect(work).rejects.toThrow(/^the database is read-only/)
  })
})
