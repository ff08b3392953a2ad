import { CompiledQuery, sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Engine } from '../engines/engine.ts'
import { openHeardHost } from '../engines/heard-host.ts'
import { overEveryEngine, overEveryServer, overPostgres } from '../engines/index.ts'
import { meterOf } from '../planner/meter-of.ts'
import { fillDue } from './due-in-bulk.ts'

const [now, leaseUntil] = ['2026-12-01T00:00:00.000Z', '2026-12-01T00:01:00.000Z']
const [OLDEST, OLD, LATER] = [
  '2026-11-19T00:00:00.000Z',
  '2026-11-20T00:00:00.000Z',
  '2026-11-25T00:00:00.000Z',
]

/** A merchant whose endpoint is paused, `backlog` due for it, and a shop for which less has been due, and not for as long. */
async function paused(engine: Engine, doubled: number) {
  const host = await openHeardHost(engine)
  const { db, database } = host
  const backlog = await fillDue(db, database, 'paused', OLD, doubled)
  await fillDue(db, database, 'shop', LATER, 0)
  const at = database.dialect.time(LATER)
  await sql`insert into tillkit_failing_endpoints (merchant_id, failing_since, paused_at)
    values ('paused', ${at}, ${at})`.execute(db)
  return { ...host, backlog }
}

const REFUSE_THE_SHOP = {
  sqlite: [
    `create trigger refused before update on tillkit_deliveries when new.merchant_id = 'shop'
     begin select raise(abort, 'refused'); end`,
  ],
  mysql: [
    `create trigger refused before update on tillkit_deliveries for each row
     if new.merchant_id = 'shop' then signal sqlstate '45000'; end if`,
  ],
  postgres: [
    `create function refuse() returns trigger language plpgsql as 'begin raise exception ''refused''; end'`,
    `create trigger refused before update on tillkit_deliveries for each row when (new.merchant_id = 'shop')
     execute function refuse()`,
  ],
}

overEveryEngine(engine => {
  test('what a claim has put to rest rests, though the claim fails later', async () => {
    const { address, db, deliveries, backlog } = await paused(engine, 2)
    for (const statement of REFUSE_THE_SHOP[address.dialect])
      await db.executeQuery(CompiledQuery.raw(statement))
    await expect(deliveries.claim({ now, leaseUntil, limit: 64 })).rejects.toThrow()
    const { pending, due } = await deliveries.counts(now)
    expect([pending - due, due]).toEqual([backlog, 64])
  })

  test('a backlog that is put to rest keeps no other merchant waiting until all of it rests', async () => {
    const { deliveries, backlog } = await paused(engine, 6)
    const claimed = await deliveries.claim({ now, leaseUntil, limit: 64 })
    expect(claimed.map(({ merchantId }) => merchantId)).toEqual(Array.from({ length: 64 }, () => 'shop'))
    const left: number[] = []
    for (let due = backlog; due > 0; ) {
      due = (await deliveries.counts(now)).due
      left.push(due)
      expect(await deliveries.claim({ now, leaseUntil, limit: 64 })).toEqual([])
    }
    const [first = 0, second = 0] = left
    expect([first, second].map(due => due < backlog && due > backlog / 4)).toEqual([true, false])
    expect(left.at(-1)).toBe(0)
  })

  test('what a claim has leased is handed over, though it fails when it goes on', async () => {
    const { address, db, database, deliveries } = await paused(engine, 2)
    await fillDue(db, database, 'first', OLDEST, 0)
    for (const statement of REFUSE_THE_SHOP[address.dialect])
      await db.executeQuery(CompiledQuery.raw(statement))
    const claimed = await deliveries.claim({ now, leaseUntil, limit: 128 })
    expect(claimed.map(({ merchantId }) => merchantId)).toEqual(Array.from({ length: 64 }, () => 'first'))
    await expect(deliveries.claim({ now, leaseUntil, limit: 128 })).rejects.toThrow()
  })
})

overEveryServer(engine => {
  test('what is due for an endpoint that is being woken stays due, and nobody waits for the wake', async () => {
    const { db, deliveries, queries, backlog } = await paused(engine, 0)
    // However long the test takes, it is not yet time to look again at what was passed by.
    const time = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    onTestFinished(() => time.mockRestore())
    const claimed = async (...exceptMerchants: string[]) =>
      (await deliveries.claim({ now, leaseUntil, limit: 1000, exceptMerchants })).map(
        ({ merchantId }) => merchantId,
      )
    expect(await claimed('paused', 'shop')).toEqual([])
    const waking = await db.startTransaction().execute()
    await sql`delete from tillkit_failing_endpoints where merchant_id = 'paused'`.execute(waking)
    queries.length = 0
    expect(await claimed('other')).toEqual(Array(64).fill('shop'))
    expect(queries.filter(({ sql }) => /skip locked/.test(sql)).length).toBeLessThan(10)
    await waking.commit().execute()
    expect(await claimed('other')).toEqual(Array(backlog).fill('paused'))
  })
})

overPostgres(engine => {
  test('what was put to rest is not met again by the same claim, while an old snapshot keeps all of it', async () => {
    const { address, db, deliveries, queries } = await paused(engine, 4)
    await engine.analyze(db)
    const reader = await db.startTransaction().setIsolationLevel('repeatable read').execute()
    await sql`select count(*) from tillkit_deliveries`.execute(reader)
    queries.length = 0
    expect((await deliveries.claim({ now, leaseUntil, limit: 64 })).length).toBe(64)
    const last = queries.findLast(({ sql }) => /skip locked/.test(sql))
    if (!last) throw new Error('nothing was locked')
    const meter = await meterOf(address, 'custom')
    const { touched } = await meter.measure({ ...last, sent: last.parameters })
    await meter.close()
    await reader.rollback().execute()
    expect(touched).toBeLessThan(200)
  })
})
