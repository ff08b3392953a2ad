import type { Storage } from '@tillkit/storage'
import { createTill } from '@tillkit/till'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type HostTables, hostDatabaseAt, storageAt } from '../../engines/address.ts'
import type { TestDatabase } from '../../engines/engine.ts'
import { sqlite } from '../../engines/sqlite.ts'
import { ALL, attempt, merchantId, NOW, openShop } from '../shop.ts'

/** A shop in a database of its own, and what changes its rows by hand. */
async function anotherShop() {
  const database = await sqlite.create()
  const another = storageAt(database.address)
  const hand = hostDatabaseAt(database.address)
  onTestFinished(async () => {
    await hand.destroy()
    await another.close()
    await database.drop()
  })
  await another.migrate()
  await openShop(another)
  return { another, hand }
}

// The others refuse to keep what is no JSON; SQLite keeps any text, as a disk's fault or somebody's hand left it.
describe('a payment whose row cannot be read', () => {
  let database: TestDatabase
  let storage: Storage & { close(): Promise<void> }
  let db: Kysely<HostTables>

  beforeAll(async () => {
    database = await sqlite.create()
    const own = storageAt(database.address)
    await own.migrate()
    await openShop(own)
    storage = own
    db = hostDatabaseAt(database.address)
    for (let n = 0; n < 3; n++) await storage.payments.start(attempt(), NOW)
    await sql`update tillkit_payments set extra = '{"half' where id = 2`.execute(db)
  })

  afterAll(async () => {
    await db.destroy()
    await storage.close()
    await database.drop()
  })

  test('is told of beside the others that are pending', async () => {
    const found = await storage.payments.pendingSince({ date: '2026-11-20T10:00:00Z', limit: 10 })
    expect(found.map(({ id, payment }) => [id, payment?.id])).toEqual([
      [1, 1],
      [2, undefined],
      [3, 3],
    ])
  })

  test('a date beyond all years is no date, and is said to be none', async () => {
    const { another, hand } = await anotherShop()
    for (let n = 0; n < 2; n++) await another.payments.start(attempt(), NOW)
    await sql`update tillkit_payments set date = 4611686018427387904 where id = 1`.execute(hand)
    await sql`update tillkit_merchants set created_at = 4611686018427387904`.execute(hand)
    for (const call of [
      () => another.payments.list(merchantId, {}, ALL),
      () => another.merchants.get(merchantId),
    ]) {
      await expect(call()).rejects.toMatchObject({ name: 'UnreadableRowError' })
    }
    expect((await another.payments.get({ merchantId, id: 2 }))?.id).toBe(2)
  })

  test('keeps no date of its merchant from being put right, where it is the last one too', async () => {
    const { another, hand } = await anotherShop()
    let now = new Date('2027-11-20T09:30:00Z')
    const till = createTill({ storage: another, clock: () => now, logger: false })
    await till.merchants.update(merchantId, { webhookUrl: 'https://shop.example/hook' })
    for (let n = 0; n < 2; n++) {
      const { payment } = await another.payments.start(attempt(), now.toISOString())
      await till.payments.complete(payment)
    }
    await sql`update tillkit_payments set extra = '{"half' where id = 2`.execute(hand)
    now = new Date('2026-11-20T09:30:00Z')
    expect(await till.repairDates(merchantId)).toMatchObject({ payments: 2, deliveries: 2 })
  })

  test('keeps no sums of other merchants from being kept', async () => {
    const { another, hand } = await anotherShop()
    await openShop(another, 'other')
    for (const shop of [merchantId, 'other']) {
      for (let n = 0; n < 3; n++) {
        const { payment } = await another.payments.start(attempt({ merchantId: shop }), NOW)
        await another.payments.resolve(payment, { status: 'completed' }, NOW)
        if (n === 1)
          await another.cashUps.create(shop, { reference: `${shop} 1`, now: NOW, idempotencyKey: null })
      }
    }
    await sql`update tillkit_payments set total_amount = 1.5 where id = 1 and merchant_id = ${merchantId}`.execute(
      hand,
    )
    // What was read of a period has its block kept, in which another payment cannot be read.
    for (const shop of [merchantId, 'other']) {
      expect(await another.reports.period(shop, null)).toMatchObject({ firstPaymentId: 3 })
    }
    const kept = () => sql`select merchant_id from tillkit_payment_sums`.execute(hand)
    await vi.waitFor(async () => expect((await kept()).rows).toEqual([{ merchant_id: 'other' }]), {
      timeout: 20_000,
    })
  })

  test('has its outcome recorded, though nobody can be shown it', async () => {
    const key = { merchantId, id: 2 }
    await expect(storage.payments.resolve(key, { status: 'completed' }, NOW)).rejects.toThrow(
      'cannot be read',
    )
    const left = await storage.payments.pendingSince({ date: '2026-11-20T10:00:00Z', limit: 10 })
    expect(left.map(({ id }) => id)).toEqual([1, 3])
    expect((await storage.payments.list(merchantId, { status: ['pending'] }, ALL)).total).toBe(2)
  })
})
