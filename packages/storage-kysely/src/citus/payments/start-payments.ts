import { type Instant, type NewPayment, secondOf } from '@tillkit/domain'
import { type CompiledQuery, sql } from 'kysely'
import { errorCode } from '../../dialects/error-code.ts'
import { isDividedByZero } from '../../dialects/postgres-errors.ts'
import type { Start, StartAll, StartAlone, StartedOne, StartOfEach } from '../../group-commit/start-all.ts'
import { ownColumns, type StartedRow, startedOne } from '../../group-commit/start-all-in-one-statement.ts'
import { type StartColumns, startColumns } from '../../group-commit/start-of-each-in-one-statement.ts'
import { startedPayment } from '../../payments/starting/insert-payment.ts'
import { FUNCTIONS } from '../../schema/names.ts'
import type { Database } from '../../session/database.ts'
import type { Session } from '../../session/session.ts'
import { prepareArrays } from '../../session/statements/prepared.ts'
import { keptOut } from '../../session/transactions/write-each.ts'
import { givenTime } from '../../time/given-time.ts'
import { SUSPENDED } from '../functions/start.ts'
import { isNobody } from '../nobody.ts'
import { withFormsAtShards } from '../shards/shard-form.ts'
import { startAtShard, startedAtShard } from '../shards/start-at-shard.ts'

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

/** The call for one of each of several merchants, who are at one node. */
function callOfEach({ builder, dialect }: Database): (starts: Start[]) => CompiledQuery<StartedRow> {
  const start = prepareArrays<StartColumns & { first: string }, StartedRow>(p => ({
    compile: () =>
      sql`select place, id, ${dialect.secondOf(sql.ref('date'))} as date
        from ${sql.table(FUNCTIONS.startOfEach)}(${p.first}, ${p.merchantId}::text[], ${p.now}::timestamptz[],
          ${p.rows}::json) as started`.compile(builder),
  }))
  return starts => {
    const columns = startColumns(dialect, starts)
    return start({ first: columns.merchantId[0] ?? '', ...columns })
  }
}

/** In the tables of the merchants' shards, by a statement for each where those are known, and else by the call. */
export function startOfEachAtNode(database: Database): StartOfEach {
  const { dialect, usesShards } = database
  const call = callOfEach(database)
  const start = startAtShard(database)
  return async (session, starts) => {
    if (starts.some(({ payment }) => isNobody(payment.merchantId))) return []
    const calling = call(starts)
    const query = usesShards
      ? withFormsAtShards(
          calling,
          starts.map((one, n) => start(startedAtShard(one, n + 1, dialect))),
        )
      : calling
    return (await session.all(query)).map(startedOne)
  }
}

type StartOne = (session: Session, payment: NewPayment, now: Instant | null) => Promise<StartedOne[]>

/** As part of a transaction, of which Citus is to know what was written. */
function startInTransaction(database: Database): StartOne {
  const startAll = startAllInOneCall(database)
  return (session, payment, now) => startAll(session, payment.merchantId, [payment], now)
}

/** As a transaction by itself. */
function startAtNode(database: Database): StartOne {
  const startOfEach = startOfEachAtNode(database)
  return (session, payment, now) => startOfEach(session, [{ payment, now }])
}

/** The same of one; null where it was not recorded, and why is to be looked at with the lock held. */
export function startInOneCall(
  database: Database,
): (...given: Parameters<StartAlone>) => Promise<Awaited<ReturnType<StartAlone>> | null> {
  const { write, dialect } = database
  const startOne = database.ofHost ? startInTransaction(database) : startAtNode(database)
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
      if (isDividedByZero(error)) throw keptOut({ cause: error })
      throw error
    }
  }
}
