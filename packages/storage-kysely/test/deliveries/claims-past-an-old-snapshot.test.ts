import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openHeardHost } from '../engines/heard-host.ts'
import { overPostgres } from '../engines/index.ts'
import { meterOf } from '../planner/meter-of.ts'
import { fillDue } from './due-in-bulk.ts'

const MINUTE = 60_000

overPostgres(engine => {
  // The longer a look at all of it takes, the less often there is one.
  test.each([
    { each: 100, notYet: 8000 },
    { each: 10_000, notYet: 100_000 },
  ])(
    'what was delivered while an old snapshot keeps it in the index is walked once in a while, and not by every claim: %o',
    async ({ each, notYet }) => {
      const { address, db, database, deliveries, queries } = await openHeardHost(engine)
      const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString()
      const claim = () =>
        deliveries.claim({ now: null, leaseUntil: ago(-60 * MINUTE), limit: 1000, exceptMerchants: [] })
      await db.transaction().execute(async reader => {
        await sql`set transaction isolation level repeatable read`.execute(reader)
        await sql`select count(*) from tillkit_deliveries`.execute(reader)
        await fillDue(db, database, 'shop', ago(60 * MINUTE), 7)
        await sql`update tillkit_deliveries set state = 'delivered', last_attempt_at = created_at`.execute(db)

        const begun = performance.now()
        const time = vi.spyOn(performance, 'now').mockImplementation(() => begun + each * queries.length)
        onTestFinished(() => time.mockRestore())
        for (let n = 0; n < 3; n++) expect(await claim()).toEqual([])
        // As what a transaction brings that took long to commit.
        const due = await fillDue(db, database, 'other', ago(2 * MINUTE), 0)
        expect(await claim()).toEqual([])
        const last = queries.findLast(({ sql }) => /skip locked/.test(sql))
        if (!last) throw new Error('nothing was looked for')
        const meter = await meterOf(address, 'custom')
        const { touched } = await meter.measure({ ...last, sent: last.parameters })
        await meter.close()
        expect(touched).toBeLessThan(100)

        time.mockImplementation(() => begun + notYet + each * queries.length)
        expect(await claim()).toEqual([])
        time.mockImplementation(() => begun + 10 * MINUTE)
        expect(await claim()).toHaveLength(due)
      })
    },
  )
})
