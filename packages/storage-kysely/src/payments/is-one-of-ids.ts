import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'

/**
 * Whether a payment is one of a merchant's with these ids. On PostgreSQL the merchant stands beside each id: by itself, a
 * planner takes it for rare, and one index of the merchant's for another.
 */
export function isOneOfIds({ name }: Dialect, merchantId: string, ids: number[]): RawBuilder<SqlBool> {
  return name === 'postgres'
    ? sql`(merchant_id, id) in (select * from unnest(${ids.map(() => merchantId)}::text[], ${ids}::bigint[]))`
    : sql`merchant_id = ${merchantId} and id in (${sql.join(ids)})`
}
