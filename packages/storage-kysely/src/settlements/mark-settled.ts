import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import { hardlyAny } from '../schema/planner/unforeseen.ts'
import type { Database } from '../session/database.ts'
import type { Session } from '../session/session.ts'

/** How many payments one statement names: well below the number of parameters that any engine takes. */
export const CHUNK = 500

/** What a payment's settlement depends on. */
export interface LockedPayment {
  id: number
  completed: boolean
  statementReference: string | null
  totalAmount: bigint
}

/** The steps by which payments of one merchant are settled, a chunk at a time, within a transaction. */
export function markSettled({ builder, dialect }: Database) {
  const isOneOf = (merchantId: string, ids: readonly number[]) => isOneOfPayments(dialect, merchantId, ids)

  return {
    /** The payments of those ids that there are, ascending, which nobody changes until the transaction ends. */
    async lock(session: Session, merchantId: string, ids: readonly number[]): Promise<LockedPayment[]> {
      const payments = builder
        .selectFrom('payments')
        .select(['id', 'status', 'statement_reference', 'total_amount'])
        .where(isOneOf(merchantId, ids))
        .orderBy('id')
      // On PostgreSQL no more firmly than it needs: who reads what is found done goes on beside it.
      const locked = dialect.name === 'postgres' ? payments.forNoKeyUpdate() : payments.forUpdate()
      // With one writer at a time, whoever writes has locked all there is.
      const rows = await session.all((dialect.oneWriter ? payments : locked).compile())
      return rows.map(row => ({
        id: Number(row.id),
        completed: row.status === 'completed',
        statementReference: row.statement_reference,
        totalAmount: BigInt(row.total_amount),
      }))
    },

    /** Puts the reference on payments that were locked. */
    async mark(session: Session, merchantId: string, statementReference: string, ids: readonly number[]) {
      if (ids.length === 0) return
      await session.change(
        builder
          .updateTable('payments')
          .set({ statement_reference: statementReference })
          .where(isOneOf(merchantId, ids))
          .compile(),
      )
    },
  }
}

/**
 * Whether a payment of the merchant has one of these ids. On PostgreSQL the merchant stands beside each id: by itself, a planner
 * takes it for rare, and one index of the merchant's for another. On Citus it stands by itself, and says at which node to look.
 */
export function isOneOfPayments(
  dialect: Dialect,
  merchantId: string,
  ids: readonly number[],
): RawBuilder<SqlBool> {
  if (dialect.distributed) return sql`merchant_id = ${merchantId} and id = any(${ids}::bigint[])`
  return dialect.name === 'postgres'
    ? sql`(merchant_id, id) in (
        select * from unnest(${ids.map(() => merchantId)}::text[], ${ids}::bigint[]) as named (merchant, id)
        where ${hardlyAny(dialect, sql.ref('named.id'))})`
    : sql`merchant_id = ${merchantId} and id in (${sql.join(ids)})`
}
