import { type Instant, type NewPayment, secondOf } from '@tillkit/domain'
import { sql } from 'kysely'
import { errorCode } from '../dialects/error-code.ts'
import type { StartAll, StartAlone, StartOfEach } from '../group-commit/start-all.ts'
import { ownColumns, type StartedRow, startedOne } from '../group-commit/start-all-in-one-statement.ts'
import { type StartColumns, startColumns } from '../group-commit/start-of-each-in-one-statement.ts'
import { startedPayment } from '../payments/starting/insert-payment.ts'
import { FUNCTIONS } from '../schema/names.ts'
import type { Database } from '../session/database.ts'
import { prepareArrays } from '../session/prepared.ts'
import type { Session } from '../session/session.ts'
import { givenTime } from '../time/given-time.ts'
import { SUSPENDED } from './functions/start.ts'
import { isNobody } from './nobody.ts'

interface Given {
  merchantId: string
  now: string | null
  rows: string
}

/** One call, whatever their number. None is passed by: where one cannot be recorded, none is. */
export function startAllInOneCall({ builder, dialect }: Database): StartAll {
  const start = prepareArrays<Given, StartedRow>(p => ({
    compile: () =>
      sql`select place, id, ${dialect.secondOf(sql.ref('date'))} as date
        from ${sql.table(FUNCTIONS.start)}(${p.merchantId}, ${p.rows}::json, ${p.now}::timestamptz) as started`.compile(
        builder,
      ),
  }))
  return async (session, merchantId, payments, now) => {
    if (isNobody(merchantId)) return []
    const rows = JSON.stringify(payments.map(payment => ownColumns(payment, dialect)))
    const query = start({ merchantId, rows, now: givenTime(dialect, now && secondOf(now)) })
    return (await session.all(query)).map(startedOne)
  }
}

/** One call for one of each of several merchants, who are at one node. */
export function startOfEachInOneCall({ builder, dialect }: Database): StartOfEach {
  const start = prepareArrays<StartColumns & { first: string }, StartedRow>(p => ({
    compile: () =>
      sql`select place, id, ${dialect.secondOf(sql.ref('date'))} as date
        from ${sql.table(FUNCTIONS.startOfEach)}(${p.first}, ${p.merchantId}::text[], ${p.now}::timestamptz[],
          ${p.rows}::json) as started`.compile(builder),
  }))
  return async (session, starts) => {
    if (starts.some(({ payment }) => isNobody(payment.merchantId))) return []
    const columns = startColumns(dialect, starts)
    const query = start({ first: columns.merchantId[0] ?? '', ...columns })
    return (await session.all(query)).map(startedOne)
  }
}

/** The same of one; null where it was not recorded, and why is to be looked at with the lock held. */
export function startInOneCall(
  database: Database,
): (...given: Parameters<StartAlone>) => Promise<Awaited<ReturnType<StartAlone>> | null> {
  const { write, dialect } = database
  const startAll = startAllInOneCall(database)
  const startOfEach = startOfEachInOneCall(database)
  const startOne = (session: Session, payment: NewPayment, now: Instant | null) =>
    database.ofHost
      ? startAll(session, payment.merchantId, [payment], now)
      : startOfEach(session, [{ payment, now }])
  return async (payment, now, since) => {
    const { merchantId } = payment
    try {
      const [started] = await write(session => startOne(session, payment, now), {
        statement: true,
        holdsShard: true,
        merchantId,
        since,
      })
      if (!started) return null
      const { id, date } = started
      return {
        payment: startedPayment(payment, { id, date, status: 'pending', failure: null }),
        created: true,
      }
    } catch (error) {
      if (dialect.isDuplicate(error) || errorCode(error) === SUSPENDED) return null
      throw error
    }
  }
}
