import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { dialectOf } from '../../src/dialects/index.ts'
import { kyselyStorage } from '../../src/index.ts'
import { databaseOf } from '../../src/kysely-storage.ts'
import { instantOf } from '../../src/schema/dates.ts'
import { hostDatabaseAt, PATIENT, placeOf, storageAt } from '../engines/address.ts'
import type { Engine } from '../engines/engine.ts'
import { fillDue } from './due-in-bulk.ts'

const [CLAIMS, ROUNDS] = [40, 2]
const MERCHANTS = ['a', 'b', 'c', 'd', 'e']
const [PAUSED, PAUSED_FROM] = ['c', 20]

/** Numbers from 0 up to 1, the same ones each time. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Tests that have merchants come and go at random, and hold each claim to what is due the longest. */
export function claimsHistories(create: Engine['create']): void {
  test.each(Array.from({ length: ROUNDS }, (_, n) => n + 1))(
    'whoever is left out, and comes and goes, the longest due are claimed: history %i',
    async seed => {
      const { address, drop } = await create()
      const owner = storageAt(address)
      await owner.migrate()
      await owner.close()
      const db = hostDatabaseAt(address)
      onTestFinished(async () => {
        await db.destroy()
        await drop()
      })
      const { dialect, builder } = databaseOf(db as never, dialectOf(address.dialect), {})
      const random = randomFrom(seed)
      const some = <One>(all: readonly One[]) => all.filter(() => random() < 0.4)
      const stores = [1, 2].map(
        () => kyselyStorage(db, address.dialect, { ...PATIENT, ...placeOf(address) }).deliveries,
      )
      let time = Date.parse('2026-12-01T00:00:00Z')
      for (const [n, id] of MERCHANTS.entries()) {
        const since = new Date(time - 3_600_000 * Math.ceil(4 * random())).toISOString()
        await fillDue(db, { dialect, builder }, id, since, n % 5)
      }

      const dueNow = async (now: string, except: string[], limit: number) => {
        const query = builder
          .selectFrom('deliveries')
          .select(dialect.timeOf(sql.ref('next_attempt_at')).as('at'))
          .where('state', '=', 'pending')
          .where('next_attempt_at', '<=', dialect.time(now))
          .where('merchant_id', 'not in', ['nobody', ...except])
          .orderBy('next_attempt_at')
          .limit(limit)
        const { rows } = await db.executeQuery<{ at: string }>(query.compile())
        return rows.map(({ at }) => instantOf(at))
      }
      const leasedUntil = async (until: string) => {
        const query = builder
          .selectFrom('deliveries')
          .select(['merchant_id', 'payment_id'])
          .where('next_attempt_at', '=', dialect.time(until))
        const { rows } = await db.executeQuery<{ merchant_id: string; payment_id: unknown }>(query.compile())
        return rows.map(row => `${row.merchant_id} ${row.payment_id}`)
      }

      for (let n = 0; n < CLAIMS; n++) {
        time += Math.floor(random() * 40_000)
        const now = new Date(time).toISOString()
        const leaseUntil = new Date(time + 60_000).toISOString()
        const deliveries = stores[n % 2]
        if (!deliveries) throw new Error('there is no store')
        if (n === PAUSED_FROM) {
          const [at, id] = [dialect.time(now), PAUSED]
          await sql`insert into tillkit_failing_endpoints (merchant_id, failing_since, paused_at)
            values (${id}, ${at}, ${at})`.execute(db)
        }
        const exceptMerchants = some(MERCHANTS)
        const notHeld = n < PAUSED_FROM ? exceptMerchants : [...exceptMerchants, PAUSED]
        const limit = random() < 0.2 ? 3000 : Math.ceil(random() * 60)
        const due = await dueNow(now, notHeld, limit)
        const held = await deliveries.claim({ now, leaseUntil, limit, exceptMerchants })
        expect(held.filter(({ merchantId }) => notHeld.includes(merchantId))).toEqual([])
        expect({ n, exceptMerchants, count: held.length }).toEqual({ n, exceptMerchants, count: due.length })
        // Those that were due the longest: nothing that was due before one of them is left.
        const [left] = await dueNow(now, notHeld, 1)
        const newest = due.at(-1)
        if (left !== undefined && newest !== undefined) expect(left >= newest).toBe(true)
        const names = held.map(({ merchantId, paymentId }) => `${merchantId} ${paymentId}`)
        expect((await leasedUntil(leaseUntil)).sort()).toEqual(names.sort())
        // As an endpoint is woken, as of when an attempt began.
        await deliveries.release(some(held), new Date(time - Math.floor(random() * 15_000)).toISOString())
        const [first] = held
        if (first && random() < 0.3) await deliveries.requeue(first, now)
      }
    },
  )
}
