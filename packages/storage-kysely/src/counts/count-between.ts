import type { PaymentStatus } from '@tillkit/domain'
import { type RawBuilder, sql } from 'kysely'
import { countOf } from '../payments/listing/counting.ts'
import type { Ends } from '../payments/listing/passing.ts'
import type { Database } from '../session/database.ts'
import type { Count, CountParameters } from './count.ts'
import { NOTHING_COUNTED } from './counted-block.ts'
import { countListed } from './listed-payments.ts'
import type { NearestBlocks } from './nearest-blocks.ts'

interface Shape {
  statuses: readonly PaymentStatus[]
  since: boolean
  late: boolean
  early: boolean
}

/**
 * How many of the payments in a run of ids are pending or failed, or one of the two, with what the blocks in it say: what
 * came after the last one is counted, what came before the first, and those that had no outcome when they were written; all
 * by one statement, so that no payment changes in between.
 */
export function countBetween(
  database: Pick<Database, 'builder' | 'dialect'>,
  statuses: readonly PaymentStatus[],
  { oldest, newest }: NearestBlocks,
): Count {
  // Those that both name count for nothing.
  const late = idsBut(newest.unresolved, oldest.unresolved)
  const early = idsBut(oldest.unresolved, newest.unresolved)
  const shape = {
    statuses,
    since: oldest !== NOTHING_COUNTED,
    late: late !== '',
    early: early !== '',
  }
  return {
    form: `between ${statuses.join(' ')} ${shape.since} ${shape.late} ${shape.early}`,
    expression: p => expressionOf(database, shape, p),
    ends: { oldest: oldest.upTo, afterNewest: newest.upTo + 1, late, early },
    known: statuses.includes('error') ? newest.errors - oldest.errors : 0,
  }
}

function expressionOf(
  database: Pick<Database, 'builder' | 'dialect'>,
  { statuses, since, late, early }: Shape,
  p: CountParameters,
): RawBuilder<number> {
  const { builder, dialect } = database
  const count = (ends: Ends) =>
    countOf(dialect, () => builder.selectFrom('payments'), { status: [...statuses] }, p, ends)
  const named = (ids: string) => countListed(database, p.merchantId, ids, statuses)
  const parts: RawBuilder<unknown>[] = [count({ first: sql`${p.afterNewest}`, last: sql`${p.last}` })]
  if (since) parts.push(count({ first: sql`${p.first}`, last: sql`${p.oldest}` }))
  if (late) parts.push(named(p.late))
  return sql<number>`${sql.join(parts, sql` + `)} - ${early ? named(p.early) : sql`0`}`
}

function idsBut(ids: number[], others: number[]): string {
  return ids.filter(id => !others.includes(id)).join(',')
}
