import type { PaymentKey } from '@tillkit/domain'
import { type CompiledQuery, sql } from 'kysely'
import { columnsOf } from '../schema/columns.ts'
import { BESIDE_PAYMENT, PAYMENT_COLUMNS, type PaymentRow, type Whole } from '../schema/rows/payment-row.ts'
import type { Database } from '../session/database.ts'
import type { Session } from '../session/session.ts'
import { jsonRows, prepareArraysForRows } from '../session/statements/json-rows.ts'
import { prepareArrays } from '../session/statements/prepared.ts'

type Find = (keys: PaymentKey[]) => CompiledQuery<[...PaymentRow, place: Whole]>

/** Payments by their keys, whosever they are, in one statement of one form; null for those that there are none of. */
export function findPayments(
  database: Database,
): (session: Session, keys: PaymentKey[]) => Promise<(PaymentRow | null)[]> {
  const find = database.dialect.name === 'mysql' ? findOnMysql(database) : findOnPostgres(database)
  return async (session, keys) => {
    const found: (PaymentRow | null)[] = keys.map(() => null)
    for (const row of await session.all(find(keys)))
      found[Number(row[BESIDE_PAYMENT]) - 1] = row as unknown as PaymentRow
    return found
  }
}

/** Looked up by key for each: no planner takes that for a join, and reads a table whole. */
function findOnPostgres({ builder, dialect }: Database): Find {
  const columns = columnsOf(dialect, 'payments', PAYMENT_COLUMNS, 'payment')
  const find = prepareArrays<{ merchantId: string[]; id: number[] }, [...PaymentRow, place: Whole]>(p => ({
    compile: () =>
      sql`select payment.*, given.place
        from unnest(${p.merchantId}::text[], ${p.id}::bigint[]) with ordinality as given (merchant_id, id, place),
        lateral (
          select ${sql.join(columns)} from ${sql.table('payments')} as payment
          where payment.merchant_id = given.merchant_id and payment.id = given.id offset 0
        ) as payment`.compile(builder),
  }))
  return keys => find({ merchantId: keys.map(({ merchantId }) => merchantId), id: keys.map(({ id }) => id) })
}

/** In the order in which they are written, each by its key: neither is left to statistics. */
function findOnMysql(database: Database): Find {
  const columns = columnsOf(database.dialect, 'payments', PAYMENT_COLUMNS, 'payment')
  const find = prepareArraysForRows<[...PaymentRow, place: Whole]>(
    database,
    rows =>
      sql`select ${sql.join(columns)}, given.place
        from ${jsonRows(rows, { merchant_id: 'longtext', id: 'bigint' })}
        straight_join ${sql.table('payments')} as payment force index (primary)
          on payment.merchant_id = given.merchant_id and payment.id = given.id`,
  )
  return keys => find(keys.map(({ merchantId, id }) => ({ merchant_id: merchantId, id })))
}
