import { DatabaseError, type Storage } from '@tillkit/storage'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { postgresStorage } from '../../../src/postgres/index.ts'
import { PATIENT } from '../../engines/address.ts'
import { askCitus, createOnCitus } from '../../engines/citus.ts'
import { overCitus } from '../../engines/over-citus.ts'
import { ALL, attempt, merchantId, NOW, openResults, openShop } from '../../faults/shop.ts'
import { goesStraight } from './goes-straight.ts'

/** Dates as many read them, and a time zone whose letters mean another one to PostgreSQL: IST is Israel's. */
const INDIAN = { DateStyle: 'SQL, DMY', TimeZone: 'Asia/Kolkata' }
const LATER = '2026-11-20T09:31:00.000Z'

/**
 * Citus tells the nodes what a role is set to, and sends them what it was given in words: they are to read what was meant, and to see where
 * shards are. In a transaction that is `serializable` by default the function that holds a shard was told that it still was where it had been
 * before a move: what was written there, and acknowledged, was gone (seen under load, twice in one move).
 */
overCitus(() => {
  let database: Awaited<ReturnType<typeof createOnCitus>>
  let role: string
  let ends: (() => Promise<unknown>)[]

  beforeEach(async () => {
    database = await createOnCitus()
    role = `host of ${database.schema}`
    ends = []
    await askCitus(`create role "${role}" login superuser`)
    await openShop(database.storage)
  })

  afterEach(async () => {
    for (const end of ends.reverse()) await end()
    await database.drop()
    await askCitus(`drop role "${role}"`)
  })

  async function setTo(settings: Record<string, string>): Promise<void> {
    for (const [name, value] of Object.entries(settings)) {
      await askCitus(`alter role "${role}" set ${name} = ${pg.escapeLiteral(value)}`)
    }
  }

  const url = () => Object.assign(new URL(database.connectionString), { username: encodeURIComponent(role) })

  function own(directToNodes: boolean): Storage {
    const options = { connectionString: url().href, directToNodes, ...PATIENT }
    const storage = postgresStorage(options, { schema: database.schema })
    ends.push(() => storage.close())
    return storage
  }

  function hosted(setting?: string): Storage {
    const pool = new pg.Pool({ connectionString: url().href })
    if (setting) pool.on('connect', client => client.query(`set ${setting}`).catch(() => {}))
    ends.push(() => pool.end())
    return postgresStorage({ pool, ...PATIENT }, { schema: database.schema })
  }

  async function expectRefused(storage: Storage, said: RegExp): Promise<void> {
    const refused = await storage.payments.start(attempt(), NOW).catch(error => error)
    expect(refused).toBeInstanceOf(DatabaseError)
    expect(refused.message).toMatch(said)
    expect((await database.storage.payments.list(merchantId, {}, ALL)).total).toBe(0)
  }

  test.each([true, false])('dates are what was meant (straight to the nodes: %s)', async directToNodes => {
    await setTo(INDIAN)
    const storage = own(directToNodes)
    if (directToNodes) await goesStraight(storage, merchantId)
    expect((await storage.payments.start(attempt(), NOW)).payment.date).toBe('2026-11-20T09:30:00Z')
    await openResults(storage, 2, LATER)
    const { items } = await storage.deliveries.list(merchantId, undefined, ALL)
    expect(items.map(({ createdAt, nextAttemptAt }) => [createdAt, nextAttemptAt])).toEqual([
      [NOW, LATER],
      [NOW, LATER],
    ])
    await openShop(storage, 'other')
    expect((await storage.merchants.get('other'))?.createdAt).toBe(NOW)
  })

  test('a pool of the host’s that writes dates in another way is refused', async () => {
    await expectRefused(hosted(`datestyle = 'SQL, DMY'`), /^the session's DateStyle is SQL, DMY/)
    await setTo(INDIAN)
    await expectRefused(hosted(), /^the session's DateStyle is SQL, DMY/)
  })

  describe.each([
    ['array_nulls', 'off'],
    // A node whose own files have another DateStyle sent dates back in it, and they were taken for others.
    ['citus.enable_binary_protocol', 'off'],
    ['standard_conforming_strings', 'off'],
    ['default_transaction_isolation', 'repeatable read'],
    ['default_transaction_isolation', 'serializable'],
  ])('%s = %s', (name, value) => {
    test('for the role: refused', async () => {
      await setTo({ [name]: value })
      const said = new RegExp(`^with ${name} = ${value} the nodes`)
      await expectRefused(own(true), said)
      await expectRefused(own(false), said)
      await expectRefused(hosted(), new RegExp(name))
    })

    test('in a pool of the host’s: refused', async () => {
      await expectRefused(hosted(`${name} = ${pg.escapeLiteral(value)}`), new RegExp(name))
    })
  })
})
