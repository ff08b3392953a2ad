import type { DeliveryResult } from '@tillkit/storage'
import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { kyselyStorage } from '../../src/index.ts'
import { type HostTables, hostDatabaseAt, PATIENT, placeOf } from '../engines/address.ts'
import { inAShop } from '../engines/in-a-shop.ts'
import { overEveryEngine } from '../engines/index.ts'
import { merchantId, NOW, openResults } from '../faults/shop.ts'

const COUNT = 3
const LATER = '2026-11-21T09:30:00.000Z'
const LAST = '2026-11-22T09:30:00.000Z'

overEveryEngine(({ create }) => {
  const shop = inAShop(create)
  let db: Kysely<HostTables>

  beforeEach(async () => {
    db = hostDatabaseAt(shop.database.address)
    const results = await openResults(shop.storage, COUNT, LATER)
    expect(await recordAll(results.map(result => ({ ...result, attempt: FIRST })))).not.toContain(false)
  })

  afterEach(() => db.destroy())

  const FIRST = { at: NOW, status: 200, milliseconds: 42, error: null, answer: 'first' }
  const AGAIN = { at: LAST, status: 201, milliseconds: 7, error: null, answer: 'again' }
  const FAILED = { at: LATER, status: 503, milliseconds: 3, error: 'HTTP 503', answer: 'busy' }

  const ids = Array.from({ length: COUNT }, (_, n) => n + 1)
  const recordAll = (results: DeliveryResult[]) =>
    Promise.all(results.map(result => shop.storage.deliveries.record(result)))

  const requeue = () =>
    Promise.all(ids.map(paymentId => shop.storage.deliveries.requeue({ merchantId, paymentId }, LATER)))

  const deliverAgain = async () => {
    const claimed = await shop.storage.deliveries.claim({ now: LAST, leaseUntil: LAST, limit: COUNT })
    expect(claimed).toHaveLength(COUNT)
    const results = claimed.map(({ paymentId, fence }) => ({
      ...{ merchantId, paymentId, fence, state: 'delivered' as const, nextAttemptAt: null },
      attempt: AGAIN,
    }))
    expect(await recordAll(results)).not.toContain(false)
  }

  const time = (value: string) =>
    shop.database.address.dialect === 'mysql' ? value.replace('T', ' ').replace('Z', '') : value

  /** What a process of a version before the only attempt stood in its delivery writes; rows, since there are any. */
  const failBefore = async (hasRows: boolean) => {
    const { at, status, milliseconds, error, answer } = FAILED
    await sql`update ${sql.table('tillkit_deliveries')} set attempts = attempts + 1, next_attempt_at = ${time(LATER)},
      last_attempt_at = ${time(at)}, last_status = ${status}, last_error = ${error}`.execute(db)
    if (!hasRows) return
    await sql`insert into ${sql.table('tillkit_delivery_attempts')}
        (merchant_id, payment_id, number, began_at, status, milliseconds, error, answer)
      select merchant_id, payment_id, 1, last_attempt_at, last_status, ${sql.lit(milliseconds)}, last_error, ${answer}
      from ${sql.table('tillkit_deliveries')}`.execute(db)
  }

  /** A success after a failure, as the first version writes it: no row of an attempt. */
  const succeedBefore = () =>
    sql`update ${sql.table('tillkit_deliveries')} set attempts = attempts + 1, last_attempt_at = ${time(LATER)},
      last_status = 204, last_error = null`.execute(db)

  const histories = async () => {
    const attempts = await shop.storage.deliveries.attempts(merchantId, ids)
    return ids.map(id =>
      attempts.filter(({ paymentId }) => paymentId === id).map(({ paymentId: _, ...attempt }) => attempt),
    )
  }
  const each = (...attempts: object[]) => ids.map(() => attempts)

  test('an only attempt is kept while it is redelivered', async () => {
    await requeue()
    expect(await histories()).toEqual(each(FIRST))
    await deliverAgain()
    expect(await histories()).toEqual(each(FIRST, AGAIN))
  })

  test('one that gets a row while attempts are looked for is there all the same', async () => {
    await requeue()
    const { address } = shop.database
    let isFirst = true
    const looking = hostDatabaseAt(address, async ({ query }) => {
      if (!isFirst || !/lone_answer/.test(query.sql)) return
      isFirst = false
      await deliverAgain()
    })
    const { deliveries } = kyselyStorage(looking, address.dialect, { ...PATIENT, ...placeOf(address) })
    const attempts = await deliveries.attempts(merchantId, ids)
    expect(isFirst).toBe(false)
    expect(attempts).toEqual(ids.flatMap(paymentId => [FIRST, AGAIN].map(one => ({ paymentId, ...one }))))
    await looking.destroy()
  })

  test('a failure that a process of the version before wrote over it is what it was', async () => {
    await requeue()
    await failBefore(true)
    expect(await histories()).toEqual(each(FAILED))
    await deliverAgain()
    expect(await histories()).toEqual(each(FAILED, AGAIN))
  })

  test('one of the first version, which keeps no attempts, makes none that never was', async () => {
    await requeue()
    await failBefore(false)
    expect(await histories()).toEqual(each())
    await deliverAgain()
    expect(await histories()).toEqual(each(AGAIN))
  })

  test('nor does a success that follows it', async () => {
    await requeue()
    await failBefore(false)
    await succeedBefore()
    expect(await histories()).toEqual(each())
    await deliverAgain()
    expect(await histories()).toEqual(each(AGAIN))
  })
})
