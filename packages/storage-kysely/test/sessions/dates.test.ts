import { randomBytes } from 'node:crypto'
import { placeName } from '@tillkit/servers'
import type { Storage } from '@tillkit/storage'
import { storageConformance } from '@tillkit/storage/conformance'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { kyselyStorage } from '../../src/index.ts'
import { postgresStorage } from '../../src/postgres/index.ts'
import { type Address, PATIENT, storageAt } from '../engines/address.ts'
import type { TestDatabase } from '../engines/engine.ts'
import { overPostgres } from '../engines/index.ts'
import { ALL, attempt, merchantId, openShop } from '../faults/shop.ts'

const WORST = { DateStyle: 'German, DMY', TimeZone: 'America/St_Johns', IntervalStyle: 'sql_standard' }

/** Settings of a session that say how dates and numbers are written. */
const SESSIONS: Record<string, string>[] = [
  ...['ISO, DMY', 'SQL, DMY', 'SQL, MDY', 'Postgres, DMY', 'Postgres, MDY', 'German, DMY', 'ISO, YMD'].map(
    DateStyle => ({ DateStyle }),
  ),
  ...['Asia/Kathmandu', 'America/St_Johns', 'Pacific/Kiritimati', 'Europe/Amsterdam'].map(TimeZone => ({
    TimeZone,
    DateStyle: 'SQL, DMY',
  })),
  ...['postgres', 'postgres_verbose', 'sql_standard', 'iso_8601'].map(IntervalStyle => ({ IntervalStyle })),
  ...['-15', '0', '3'].map(extra_float_digits => ({ extra_float_digits })),
  { ...WORST, extra_float_digits: '-15' },
]

const optionsOf = (settings: Record<string, string>) =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
    .join(' ')

overPostgres(({ create }) => {
  let database: TestDatabase
  let address: Extract<Address, { dialect: 'postgres' }>
  let ends: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    database = await create()
    if (database.address.dialect !== 'postgres') throw new Error('not PostgreSQL')
    address = database.address
    const storage = storageAt(address)
    await storage.migrate()
    await openShop(storage)
    await storage.scanCodes.add({ code: 'till-1', merchantId, reference: null, createdAt: at(0) })
    await storage.close()
  })

  afterEach(async () => {
    for (const end of ends.reverse()) await end()
    ends = []
  })

  afterAll(() => database.drop())

  const poolWith = (settings: Record<string, string>, connectionString = address.connectionString) => {
    const pool = new pg.Pool({ connectionString, options: optionsOf(settings) })
    ends.push(() => pool.end())
    return pool
  }
  const place = () => ({ schema: address.schema })
  const byPool = (settings: Record<string, string>): Storage =>
    postgresStorage({ pool: poolWith(settings), ...PATIENT }, place())
  const byKysely = (settings: Record<string, string>): Storage =>
    kyselyStorage(new Kysely({ dialect: new PostgresDialect({ pool: poolWith(settings) }) }), 'postgres', {
      ...place(),
      ...PATIENT,
    })
  const byAddress = (settings: Record<string, string>): Storage => {
    const url = new URL(address.connectionString)
    url.searchParams.set('options', optionsOf(settings))
    const storage = postgresStorage({ connectionString: url.href, ...PATIENT }, place())
    ends.push(() => storage.close())
    return storage
  }

  /** Each place where a date is read, beside what was written. */
  async function tells(storage: Storage): Promise<void> {
    const id = randomBytes(8).toString('hex')
    const features = { tips: false, userReferences: false, deviceLists: false }
    const merchant = { id, name: id, webhookUrl: 'https://x.example/', features, createdAt: at(0) }
    await storage.merchants.create(merchant)
    expect(await storage.merchants.get(id)).toEqual({ ...merchant, suspendedAt: null })
    expect((await storage.merchants.suspend(id, at(3)))?.suspendedAt).toBe(at(3))
    await storage.merchants.resume(id)
    const code = { code: id, merchantId: id, reference: null, createdAt: at(1) }
    await storage.scanCodes.add(code)
    expect((await storage.scanCodes.find(id))?.scanCode).toEqual({ ...code, suspendedAt: null })
    expect((await storage.scanCodes.suspend(id, at(4)))?.suspendedAt).toBe(at(4))
    await storage.scanCodes.resume(id)
    const key = { id: 'k', merchantId: id, label: null, createdAt: at(2), expiresAt: at(3) }
    await storage.apiKeys.add(key, id)
    expect(await storage.apiKeys.list(id)).toEqual([key])
    // The third of April, the fourth of March and the day after New Year's: each way to mistake a day for a month.
    const dates = ['2025-12-31T23:59:59', '2026-01-02T00:00:00', '2026-03-04T12:00:00', '2026-04-03T12:00:01']
    for (const date of dates) {
      const { payment } = await storage.payments.start(
        attempt({ merchantId: id, scanCode: id }),
        `${date}.500Z`,
      )
      expect(payment.date).toBe(`${date}Z`)
      const resolved = await storage.payments.resolve(payment, { status: 'completed' }, `${date}.750Z`)
      expect(resolved?.payment.date).toBe(`${date}Z`)
    }
    // A clock that is behind does not take the merchant's dates back.
    const late = await storage.payments.start(
      attempt({ merchantId: id, scanCode: id }),
      '2026-03-05T00:00:00.000Z',
    )
    expect(late.payment.date).toBe('2026-04-03T12:00:01Z')
    const filter = { startDate: '2026-01-02T00:00:00Z', endDate: '2026-03-04T12:00:01Z' }
    const { items } = await storage.payments.list(id, filter, ALL)
    expect(items.map(({ date }) => date)).toEqual(['2026-03-04T12:00:00Z', '2026-01-02T00:00:00Z'])
    const now = '2026-04-03T12:00:02.125Z'
    const cashUp = await storage.cashUps.create(id, { reference: id, idempotencyKey: null, now })
    expect(cashUp).toEqual({ reference: id, date: '2026-04-03T12:00:02Z' })
    expect((await storage.cashUps.list(id, ALL)).items).toEqual([cashUp])
    const [delivery] = (await storage.deliveries.list(id, undefined, ALL)).items.slice(-1)
    expect(delivery).toMatchObject({
      nextAttemptAt: '2025-12-31T23:59:59.750Z',
      createdAt: '2025-12-31T23:59:59.750Z',
    })
    const counts = await storage.deliveries.counts(now)
    expect(counts.oldestDueAt).toBe('2025-12-31T23:59:59.750Z')
    const shared = (await storage.time?.()) ?? new Date(0)
    expect(shared.getTime()).toBeGreaterThan(Date.parse('2026-01-01T00:00:00Z'))
    const leaseUntil = '2026-04-03T12:01:02.125Z'
    const claimed = await storage.deliveries.claim({ now, leaseUntil, limit: 100 })
    const held = claimed.find(one => one.merchantId === id && one.paymentId === 1)
    if (!held) throw new Error('it was not claimed')
    const result = { at: now, status: 500, milliseconds: 5, error: 'no', answer: null }
    await storage.deliveries.record({ ...held, state: 'pending', nextAttemptAt: leaseUntil, attempt: result })
    expect(await storage.deliveries.attempts(id, [1])).toEqual([{ paymentId: 1, ...result }])
    expect((await storage.endpoints.get(id))?.failingSince).toBe(now)
    for (const one of claimed) {
      await storage.deliveries.release([one], now)
    }
    await storage.deliveries.claim({ now, leaseUntil: '2099-01-01T00:00:00.000Z', limit: 100 })
  }

  describe('dates are the same, whatever the session says of them', () => {
    test.each(SESSIONS)('a pool, a Kysely and an address with %o', async settings => {
      await tells(byPool(settings))
      await tells(byKysely(settings))
      await tells(byAddress(settings))
    })

    test('set for the database, or for the role', async () => {
      const name = placeName()
      const owner = new pg.Client({ connectionString: address.connectionString })
      await owner.connect()
      await owner.query(`create database "${name}"`)
      await owner.query(`create role "${name}" login superuser password 'x'`)
      for (const [setting, value] of Object.entries(WORST)) {
        await owner.query(`alter database "${name}" set ${setting} = ${pg.escapeLiteral(value)}`)
        await owner.query(`alter role "${name}" set ${setting} = ${pg.escapeLiteral(value)}`)
      }
      for (const username of [new URL(address.connectionString).username, name]) {
        const url = new URL(address.connectionString)
        Object.assign(url, { pathname: `/${name}`, username })
        if (username === name) url.password = 'x'
        const storage = postgresStorage({ connectionString: url.href, ...PATIENT })
        await storage.migrate()
        await tells(storage)
        await storage.close()
        const pool = new pg.Pool({ connectionString: url.href })
        await tells(postgresStorage({ pool, ...PATIENT }))
        await tells(
          kyselyStorage(new Kysely({ dialect: new PostgresDialect({ pool }) }), 'postgres', PATIENT),
        )
        await pool.end()
      }
      await owner.query(`drop database "${name}"`)
      await owner.query(`drop role "${name}"`)
      await owner.end()
    })
  })

  describe('the whole suite where dates are written in the German way', () => {
    storageConformance({ describe, test, expect }, async () => {
      const apart = await create()
      if (apart.address.dialect !== 'postgres') throw new Error('not PostgreSQL')
      const { connectionString, schema } = apart.address
      const owner = storageAt(apart.address)
      await owner.migrate()
      await owner.close()
      const pool = new pg.Pool({
        connectionString,
        options: optionsOf({ ...WORST, extra_float_digits: '-15' }),
      })
      const close = async () => {
        await pool.end()
        await apart.drop()
      }
      return { storage: postgresStorage({ pool, ...PATIENT }, { schema }), close }
    })
  })
})

function at(second: number): string {
  return `2026-02-03T04:05:0${second}.678Z`
}
