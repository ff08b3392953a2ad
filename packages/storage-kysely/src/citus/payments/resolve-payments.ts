import { type CompiledQuery, sql } from 'kysely'
import type { EndedRow } from '../../deliveries/outbox/handed-over.ts'
import type { Ending, ResolveAll, ResolveAlone } from '../../group-commit/resolve-all.ts'
import { type EndingColumns, endingColumns } from '../../group-commit/resolve-all-in-one-statement.ts'
import { findPaymentDone } from '../../payments/find-payment.ts'
import { columnsOf } from '../../schema/columns.ts'
import { FUNCTIONS } from '../../schema/names.ts'
import { PAYMENT_COLUMNS } from '../../schema/rows/payment-row.ts'
import { toPayment } from '../../schema/rows/to-payment.ts'
import type { Database } from '../../session/database.ts'
import type { Session } from '../../session/session.ts'
import { prepareArrays } from '../../session/statements/prepared.ts'
import { type Doubt, inDoubt } from '../../session/transactions/doubt.ts'
import { findDone } from '../../session/transactions/find-done.ts'
import { isNobody } from '../nobody.ts'
import { type EndedOfMerchantRow, resolveAtShard, resolvedAtShard } from '../shards/resolve-at-shard.ts'
import { withFormsAtShards } from '../shards/shard-form.ts'

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

/** The call for outcomes of payments of several merchants, who are at one node. */
function callOfEach(database: Database): (endings: Ending[]) => CompiledQuery<EndedOfMerchantRow> {
  const { builder, dialect } = database
  const resolve = prepareArrays<EndingColumns & { first: string }, EndedOfMerchantRow>(p => ({
    compile: () =>
      sql`select ${ended(database)}, changed.merchant_id
        from ${sql.table(FUNCTIONS.resolveOfEach)}(${p.first}, ${p.merchantId}::text[], ${p.id}::bigint[],
          ${p.status}::text[], ${p.failure}::text[], ${p.now}::timestamptz[], ${p.traceparent}::text[]) as changed`.compile(
        builder,
      ),
  }))
  return endings => {
    const columns = endingColumns(dialect, endings)
    return resolve({ first: columns.merchantId[0] ?? '', ...columns })
  }
}

/** In the tables of the merchants' shards, by a statement for each where those are known, and else by the call. */
export function resolveOfEachAtNode(database: Database): ResolveAll {
  const { dialect, usesShards } = database
  const call = callOfEach(database)
  const resolve = resolveAtShard(database)
  return async (session, endings) => {
    if (endings.some(({ key }) => isNobody(key.merchantId))) return endings.map(() => undefined)
    const calling = call(endings)
    const query = usesShards
      ? withFormsAtShards(
          calling,
          endings.map(ending => resolve(resolvedAtShard(ending, dialect))),
        )
      : calling
    const rows = new Map<string, EndedRow>()
    for (const row of await session.all(query)) {
      const owner = row.pop()
      rows.set(`${Number(row[0])} ${owner}`, row as unknown as EndedRow)
    }
    return endings.map(({ key }) => rows.get(`${key.id} ${key.merchantId}`))
  }
}

type ResolveOne = (session: Session, ending: Ending) => Promise<EndedRow | undefined>

/** As part of a transaction, of which Citus is to know what was written. */
function resolveInTransaction(database: Database): ResolveOne {
  const resolve = resolveAllInOneCall(database)
  return async (session, ending) => (await resolve(session, [ending]))[0]
}

/** As a transaction by itself. */
function resolveAtNode(database: Database): ResolveOne {
  const resolveOfEach = resolveOfEachAtNode(database)
  return async (session, ending) => (await resolveOfEach(session, [ending]))[0]
}

/** The same of one; the payment as it was before, where it had its outcome, is read after it. */
export function resolveInOneCall(database: Database): ResolveAlone {
  const { write } = database
  const resolve = database.ofHost ? resolveInTransaction(database) : resolveAtNode(database)
  const find = findPaymentDone(database)
  return async (ending, since) => {
    const { merchantId, id } = ending.key
    const doubt: Doubt = {}
    const changed = await write(session => resolve(session, ending), {
      statement: true,
      repeatable: true,
      doubt,
      holdsShard: true,
      merchantId,
      locks: 'rows',
      since,
    })
    const done = () => findDone(database, find({ merchantId, id }), { merchantId, since })
    const row = changed ?? (await inDoubt(doubt, done))
    return row ? { payment: toPayment(merchantId, row), changed: changed !== undefined } : null
  }
}
