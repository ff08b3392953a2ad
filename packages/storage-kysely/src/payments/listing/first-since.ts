import { type QueryCreator, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Dialect } from '../../dialects/dialect.ts'
import { along } from '../../schema/planner/along.ts'
import type { Whole } from '../../schema/rows/payment-row.ts'
import type { Tables } from '../../schema/tables.ts'

/** One payment in so many is in the index of dates, where an index may leave rows out. */
const MARKED = 16

/** Whether it is that one. */
export const isMarked = (id = sql.ref('id')) => sql<boolean>`${id} % ${sql.lit(MARKED)} = 0`

type Ids = SelectQueryBuilder<Tables, 'payments', { id: Whole }>

/**
 * The id of a merchant's first payment that is dated since, as a subquery; null where there is none. It is among the sixteen
 * that follow the last one in the index that is dated before, as dates have the order of ids.
 */
export function firstSince(
  { partialIndexes }: Dialect,
  creator: QueryCreator<Tables>,
  merchantId: string,
  since: '>=' | '>',
  date: string,
  reading: (ids: Ids) => Ids = ids => ids,
): RawBuilder<number | null> {
  const from = partialIndexes ? creator.selectFrom('payments') : creator.selectFrom(along('dates'))
  const payments = from.select('id').where('merchant_id', '=', merchantId)
  const dated = payments.where('date', since, date)
  // Where other merchants have few payments, MariaDB expects as few of this one, and reads all up to the date unless told.
  if (!partialIndexes) return sql`(${reading(dated.orderBy('date').orderBy('id').limit(1))})`
  const marked = payments
    .where(isMarked())
    .where('date', since === '>=' ? '<' : '<=', date)
    .orderBy('date', 'desc')
    .orderBy('id', 'desc')
    .limit(sql.lit(1))
  const mark = sql.ref<number>('mark.id')
  const next = dated
    .where('id', '>', mark)
    .where('id', '<=', sql<number>`${mark} + ${sql.lit(MARKED)}`)
    .orderBy('id')
    .limit(sql.lit(1))
  return sql`(select (${next}) from (select coalesce((${marked}), 0) as id limit 1) as mark)`
}
