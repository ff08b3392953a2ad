import { sql } from 'kysely'
import type { EndedRow } from '../deliveries/outbox/handed-over.ts'
import type { ResolveAll, ResolveAlone } from '../group-commit/resolve-all.ts'
import { type EndingColumns, endingColumns } from '../group-commit/resolve-all-in-one-statement.ts'
import { findPayment } from '../payments/find-payment.ts'
import { columnsOf } from '../schema/columns.ts'
import { FUNCTIONS } from '../schema/names.ts'
import { PAYMENT_COLUMNS } from '../schema/payment-row.ts'
import { toPayment } from '../schema/to-payment.ts'
import type { Database } from '../session/database.ts'
import { prepareArrays } from '../session/prepared.ts'
import { isNobody } from './nobody.ts'

/** What of a payment is selected. */
const ended = ({ dialect }: Database) => sql.join(columnsOf(dialect, 'payments', PAYMENT_COLUMNS, 'changed'))

/** One call, whatever their number, for outcomes of one merchant's payments. One by itself waits for whoever has it locked. */
export function resolveAllInOneCall(database: Database): ResolveAll {
  const resolve = prepareArrays<Omit<EndingColumns, 'merchantId'> & { merchantId: string }, EndedRow>(p => ({
    compile: () =>
      sql`select ${ended(database)} from ${sql.table(FUNCTIONS.resolve)}(${p.merchantId}, ${p.id}::bigint[],
        ${p.status}::text[], ${p.failure}::text[], ${p.now}::timestamptz[], ${p.traceparent}::text[]) as changed`.compile(
        database.builder,
      ),
  }))
  return async (session, endings) => {
    const merchantId = endings[0]?.key.merchantId ?? ''
    if (isNobody(merchantId)) return []
    const query = resolve({ ...endingColumns(database.dialect, endings), merchantId })
    const rows = new Map((await session.all(query)).map(row => [Number(row[0]), row]))
    return endings.map(({ key }) => rows.get(key.id))
  }
}

/** One call for outcomes of payments of several merchants, who are at one node. */
export function resolveOfEachInOneCall(database: Database): ResolveAll {
  const resolve = prepareArrays<EndingColumns & { first: string }, [...EndedRow, merchantId: string]>(p => ({
    compile: () =>
      sql`select ${ended(database)}, changed.merchant_id
        from ${sql.table(FUNCTIONS.resolveOfEach)}(${p.first}, ${p.merchantId}::text[], ${p.id}::bigint[],
          ${p.status}::text[], ${p.failure}::text[], ${p.now}::timestamptz[], ${p.traceparent}::text[]) as changed`.compile(
        database.builder,
      ),
  }))
  return async (session, endings) => {
    if (endings.some(({ key }) => isNobody(key.merchantId))) return endings.map(() => undefined)
    const columns = endingColumns(database.dialect, endings)
    const query = resolve({ first: columns.merchantId[0] ?? '', ...columns })
    const rows = new Map<string, EndedRow>()
    for (const row of await session.all(query)) {
      const owner = row.pop()
      rows.set(`${Number(row[0])} ${owner}`, row as unknown as EndedRow)
    }
    return endings.map(({ key }) => rows.get(`${key.id} ${key.merchantId}`))
  }
}

/** The same of one; the payment as it was before, where it had its outcome, is read after it. */
export function resolveInOneCall(database: Database): ResolveAlone {
  const { read, write } = database
  const resolve = database.ofHost ? resolveAllInOneCall(database) : resolveOfEachInOneCall(database)
  const find = findPayment(database)
  return async (ending, since) => {
    const { merchantId, id } = ending.key
    const [changed] = await write(session => resolve(session, [ending]), {
      statement: true,
      repeatable: true,
      holdsShard: true,
      merchantId,
      locks: 'rows',
      since,
    })
    const row = changed ?? (await read.first(find({ merchantId, id })))
    return row ? { payment: toPayment(merchantId, row), changed: changed !== undefined } : null
  }
}
