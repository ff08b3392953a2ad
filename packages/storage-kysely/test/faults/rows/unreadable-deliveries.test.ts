import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HostTables, hostDatabaseAt } from '../../engines/address.ts'
import { inAShop } from '../../engines/in-a-shop.ts'
import { overEveryEngine } from '../../engines/index.ts'
import { ALL, merchantId, NOW, startedCompleted } from '../shop.ts'

overEveryEngine(({ create }) => {
  const shop = inAShop(create, beforeAll)
  let db: Kysely<HostTables>

  beforeAll(() => {
    db = hostDatabaseAt(shop.database.address)
  })

  afterAll(() => db.destroy())

  const damage = (id: number | undefined, column: string, value: unknown) =>
    sql`update tillkit_deliveries set ${sql.ref(column)} = ${value}
      where merchant_id = ${merchantId} and payment_id = ${id}`.execute(db)
  const damageDate = async (id: number | undefined) => {
    const { dialect } = shop.database.address
    if (dialect === 'sqlite') return damage(id, 'created_at', 'no date')
    const alter =
      dialect === 'postgres'
        ? sql`alter column created_at drop not null`
        : sql`modify created_at datetime(3) null`
    await sql`alter table tillkit_deliveries ${alter}`.execute(db)
    return damage(id, 'created_at', null)
  }

  test('a damaged delivery is listed with its reason, and keeps nobody from the others', async () => {
    const [undated, unsettled, sound] = await startedCompleted(shop.storage, 3)
    await damageDate(undated)
    await damage(unsettled, 'state', 'lost')
    const { items, total } = await shop.storage.deliveries.list(merchantId, undefined, ALL)
    expect(total).toBe(3)
    expect(items.map(({ paymentId, state, lastError }) => [paymentId, state, lastError])).toEqual([
      [sound, 'pending', null],
      [unsettled, 'exhausted', 'delivery cannot be read: its state is not what may stand there'],
      [undated, 'pending', 'delivery cannot be read: its created_at is not what may stand there'],
    ])
    for (const { createdAt } of items) expect(createdAt).toBe(NOW)
    const again = await shop.storage.deliveries.requeue({ merchantId, paymentId: unsettled as number }, NOW)
    expect([again.state, again.lastError]).toEqual(['pending', null])
  })

  test('an only attempt that has lost its date keeps none that follows from being written', async () => {
    const [paymentId = 0] = await startedCompleted(shop.storage, 1)
    const key = { merchantId, paymentId }
    const record = async (error: string | null) => {
      const lease = { now: NOW, leaseUntil: '2099-01-01T00:00:00.000Z', limit: 100 }
      const held = (await shop.storage.deliveries.claim(lease)).find(one => one.paymentId === paymentId)
      const attempt = { at: NOW, status: 200, milliseconds: 1, error, answer: null }
      const [state, nextAttemptAt] = ['delivered', null] as const
      return shop.storage.deliveries.record({
        ...key,
        fence: held?.fence ?? 0,
        state,
        nextAttemptAt,
        attempt,
      })
    }
    expect(await record(null)).toBe(true)
    await shop.storage.deliveries.requeue(key, NOW)
    await damage(paymentId, 'last_attempt_at', null)
    expect(await record('answered 503')).toBe(true)
    const kept = await shop.storage.deliveries.attempts(merchantId, [paymentId])
    expect(kept.map(({ error }) => error)).toEqual(['answered 503'])
  })
})
