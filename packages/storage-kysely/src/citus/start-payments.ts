import { secondOf } from '@tillkit/domain'
import { sql } from 'kysely'
import { errorCode } from '../dialects/error-code.ts'
import type { StartAll, StartAlone } from '../group-commit/start-all.ts'
import { ownColumns } from '../group-commit/start-all-in-one-statement.ts'
import { startedPayment } from '../payments/insert-payment.ts'
import { type ReadDate, wireDateOf } from '../schema/dates.ts'
import { FUNCTIONS } from '../schema/names.ts'
import type { Whole } from '../schema/payment-row.ts'
import type { Database } from '../session/database.ts'
import { prepareArrays } from '../session/prepared.ts'
import { givenTime } from '../time/given-time.ts'
import { SUSPENDED } from './functions/start.ts'
import { isNobody } from './nobody.ts'

interface Given {
  merchantId: string
  now: string | null
  rows: string
}

type Row = [place: Whole, id: Whole, date: ReadDate]

/** One call, whatever their number. None is passed by: where one cannot be recorded, none is. */
export function startAllInOneCall({ builder, dialect }: Database): StartAll {
  const start = prepareArrays<Given, Row>(p => ({
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
    const started = await session.all(query)
    return started.map(([place, id, date]) => ({
      place: Number(place) - 1,
      id: Number(id),
      date: wireDateOf(date),
    }))
  }
}

/** The same of one; null where it was not recorded, and why is to be looked at with the lock held. */
export function startInOneCall(
  database: Database,
): (...given: Parameters<StartAlone>) => Promise<Awaited<ReturnType<StartAlone>> | null> {
  const { write, dialect } = database
  const startAll = startAllInOneCall(database)
  return async (payment, now, since) => {
    const { merchantId } = payment
    try {
      const [started] = await write(session => startAll(session, merchantId, [payment], now), {
        statement: true,
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
