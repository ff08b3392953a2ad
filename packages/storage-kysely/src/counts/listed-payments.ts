import type { PaymentStatus } from '@tillkit/domain'
import { type Expression, type RawBuilder, sql } from 'kysely'
import { hasOneOf } from '../payments/has-one-of.ts'
import type { Database } from '../session/database.ts'

/**
 * The status of each of a few payments of a merchant, as rows of `id` and `status`: `ids` has commas between. Each is looked
 * up for itself, since a planner that joins them, or looks for a list, may read all that the merchant has.
 */
export function listedPayments(
  { builder, dialect }: Pick<Database, 'builder' | 'dialect'>,
  merchantId: string,
  ids: Expression<string> | string,
): RawBuilder<{ id: number | string; status: PaymentStatus }> {
  const status = builder
    .selectFrom('payments')
    .select('payments.status')
    .where('payments.merchant_id', '=', merchantId)
    .where('payments.id', '=', sql.ref<number>('listed.id'))
  return sql`(select listed.id, (${status}) as status from ${listedIds(dialect.name, ids)})`
}

/** How many of them have one of these statuses. */
export function countListed(
  database: Pick<Database, 'builder' | 'dialect'>,
  merchantId: string,
  ids: Expression<string> | string,
  statuses: readonly PaymentStatus[],
): RawBuilder<number> {
  return sql`(select count(*) from ${listedPayments(database, merchantId, ids)} as named where ${hasOneOf(statuses)})`
}

function listedIds(name: Database['dialect']['name'], ids: Expression<string> | string): RawBuilder<unknown> {
  switch (name) {
    case 'postgres':
      return sql`unnest(string_to_array(${ids}, ',')::bigint[]) as listed(id)`
    case 'sqlite':
      return sql`(select value as id from json_each('[' || ${ids} || ']')) as listed`
    case 'mysql':
      return sql`json_table(concat('[', ${ids}, ']'), '$[*]' columns (id bigint path '$')) as listed`
  }
}
