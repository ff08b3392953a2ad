import SqliteDatabase from 'better-sqlite3'
import type { CompiledQuery } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Address } from '../engines/address.ts'
import { openHeardHost } from '../engines/heard-host.ts'
import { overEveryEngine } from '../engines/index.ts'
import { meterOf } from '../planner/meter-of.ts'
import { plain } from '../planner/statements.ts'
import { fillDue } from './due-in-bulk.ts'

const DOUBLED = 7
const [now, leaseUntil] = ['2026-12-01T00:00:00.000Z', '2026-12-01T00:01:00.000Z']
const [OLDEST, OLD, LATER] = [
  '2026-11-19T00:00:00.000Z',
  '2026-11-20T00:00:00.000Z',
  '2026-11-25T00:00:00.000Z',
]

/** How many deliveries a statement looks at when it is run again, by plans that are made for its values and for any. */
async function looksAt(address: Address, { sql, parameters }: CompiledQuery): Promise<number> {
  const given = parameters.map(plain)
  if (address.dialect === 'sqlite') {
    // SQLite counts nothing: whoever is asked about by a function of the test is counted.
    const db = new SqliteDatabase(address.file)
    let asked = 0
    db.function('noted', value => {
      asked++
      return value
    })
    db.prepare(sql.replace('"merchant_id" not in', 'noted("merchant_id") not in')).all(...given)
    db.close()
    return asked
  }
  let most = 0
  for (const mode of ['custom', 'generic'] as const) {
    const meter = await meterOf(address, mode)
    const { touched } = await meter.measure({ sql, parameters: given, sent: given })
    most = Math.max(most, touched)
    await meter.close()
  }
  return most
}

overEveryEngine(engine => {
  test.each([
    { count: 1, analyzed: 'full', others: 64 },
    { count: 1, analyzed: 'full', others: 0 },
    { count: 8, analyzed: 'full', others: 64 },
    { count: 8, analyzed: 'empty', others: 64 },
  ])(
    'what is due for left-out merchants is walked once, and not by every claim: %o',
    async ({ count, analyzed, others }) => {
      const { address, db, database, deliveries, queries } = await openHeardHost(engine)
      const crowd = Array.from({ length: count }, (_, n) => `crowd-${n}`)
      let backlog = 0
      if (analyzed === 'empty') await engine.analyze(db)
      for (const id of crowd) backlog += await fillDue(db, database, id, OLD, DOUBLED - Math.log2(count))
      if (others > 0) await fillDue(db, database, 'shop', LATER, 0)
      if (analyzed === 'full') await engine.analyze(db)

      // However long the test takes, it is not yet time to look again.
      const time = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
      onTestFinished(() => time.mockRestore())
      let looked = 0
      for (let n = 0; n < 10; n++) {
        queries.length = 0
        // Others are left out now and then as well.
        const exceptMerchants = n % 3 === 1 ? [...crowd, `other-${n}`] : crowd
        const held = await deliveries.claim({ now, leaseUntil, limit: 8, exceptMerchants })
        expect(held.map(({ merchantId }) => merchantId)).toEqual(Array(8 * n < others ? 8 : 0).fill('shop'))
        for (const query of queries.filter(({ sql }) => /deliveries/.test(sql) && /^(select|with)/.test(sql)))
          looked += await looksAt(address, query)
      }
      expect(looked).toBeLessThan(3 * backlog)
    },
  )

  test('what comes back behind what was walked is claimed at once by who leaves nobody out, and by others in time', async () => {
    const { db, database, deliveries } = await openHeardHost(engine)
    const backlog = await fillDue(db, database, 'crowd', OLD, 5)
    const [request, exceptMerchants] = [{ now, leaseUntil, limit: 8 }, ['crowd']]
    for (let n = 0; n < 3; n++) {
      expect(await deliveries.claim({ ...request, exceptMerchants })).toEqual([])
    }
    // As what a transaction brings that took long to commit.
    const others = await fillDue(db, database, 'shop', OLDEST, 0)
    const held = await deliveries.claim({ ...request, limit: 16 })
    expect(held.map(({ merchantId }) => merchantId)).toEqual(Array(16).fill('shop'))
    const clock = performance.now.bind(performance)
    const time = vi.spyOn(performance, 'now').mockImplementation(() => clock() + 11_000)
    onTestFinished(() => time.mockRestore())
    let found = held.length
    for (let n = 0; n < 12; n++) {
      found += (await deliveries.claim({ ...request, exceptMerchants })).length
    }
    expect(found).toBe(others)
    const rest = await deliveries.claim({ ...request, limit: backlog })
    expect(rest.length).toBe(backlog)
  })

  test('what a claim for one merchant did not look at is claimed by those for all', async () => {
    const { db, database, deliveries } = await openHeardHost(engine)
    await fillDue(db, database, 'crowd', OLD, 1)
    const ofShop = await fillDue(db, database, 'shop', LATER, 0)
    const ofOther = await fillDue(db, database, 'other', LATER, 0)
    const request = { now, leaseUntil, limit: 100, exceptMerchants: ['crowd'] }
    expect(await deliveries.claim({ ...request, onlyMerchant: 'shop' })).toHaveLength(ofShop)
    expect(await deliveries.claim(request)).toHaveLength(ofOther)
  })

  test('what is let through of a crowd now and then brings nobody back to where its backlog begins', async () => {
    const { address, db, database, deliveries, queries } = await openHeardHost(engine)
    const crowd = ['crowd-0', 'crowd-1']
    let backlog = 0
    for (const id of crowd) backlog += await fillDue(db, database, id, OLD, DOUBLED - 1)
    await fillDue(db, database, 'shop', LATER, 0)
    await engine.analyze(db)
    const time = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    onTestFinished(() => time.mockRestore())
    const claim = (exceptMerchants: string[]) =>
      deliveries.claim({ now, leaseUntil, limit: 8, exceptMerchants })
    for (let n = 0; n < 2; n++) expect(await claim(crowd)).toHaveLength(8)
    expect((await claim(['crowd-1'])).map(({ merchantId }) => merchantId)).toEqual(Array(8).fill('crowd-0'))
    queries.length = 0
    await claim(crowd)
    let looked = 0
    for (const query of queries.filter(({ sql }) => /deliveries/.test(sql) && /^(select|with)/.test(sql)))
      looked += await looksAt(address, query)
    expect(looked).toBeLessThan(backlog / 2)
  })

  test('whoever was left out among a thousand and more is claimed for when it no longer is', async () => {
    const { db, database, deliveries } = await openHeardHost(engine)
    const backlog = await fillDue(db, database, 'crowd', OLD, 5)
    const request = { now, leaseUntil, limit: backlog }
    const thousand = Array.from({ length: 1200 }, (_, n) => `other-${n}`)
    for (const exceptMerchants of [['crowd'], ['crowd'], ['crowd', ...thousand], ['crowd']]) {
      expect(await deliveries.claim({ ...request, exceptMerchants })).toEqual([])
    }
    expect(await deliveries.claim({ ...request, exceptMerchants: ['other-1'] })).toHaveLength(backlog)
  })

  test('who asks for all that was due at a time has all of it, however long a look takes', async () => {
    const { db, database, deliveries, queries } = await openHeardHost(engine)
    const backlog = await fillDue(db, database, 'crowd', OLD, 5)
    // Each statement takes so long, as where an old snapshot keeps what was delivered.
    const begun = performance.now()
    const time = vi.spyOn(performance, 'now').mockImplementation(() => begun + 100 * queries.length)
    onTestFinished(() => time.mockRestore())
    const request = { now, leaseUntil, limit: 8 }
    for (let n = 0; n < 4; n++) expect(await deliveries.claim(request)).toHaveLength(8)
    const others = await fillDue(db, database, 'shop', OLDEST, 0)
    const held = await deliveries.claim({ ...request, limit: backlog + others })
    expect(held).toHaveLength(backlog + others - 32)
  })
})
