import type { DeliveryState } from '@tillkit/domain'
import type { DeliveryStore } from '@tillkit/storage'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { instantOrNull } from '../schema/dates.ts'
import { walk } from '../schema/planner/walk.ts'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/statements/prepared.ts'

export function countDeliveries({ builder, read, dialect }: Database): DeliveryStore['counts'] {
  const { time, within } = walk(dialect, 'due')
  // Said in the statement and not beside it, so that an index of this state alone may be used.
  const isIn = (state: DeliveryState) => sql<SqlBool>`state = ${sql.lit(state)}`
  const among = (...conditions: RawBuilder<SqlBool>[]) =>
    conditions.reduce((query, condition) => query.where(condition), builder.selectFrom('deliveries'))
  const count = (...conditions: RawBuilder<SqlBool>[]) =>
    sql<number>`(${among(...conditions).select(sql<number>`count(*)`.as('total'))})`

  const allPending =
    dialect.name === 'postgres'
      ? sql<number>`${count(within('infinity'))} + ${count(isIn('pending'), sql`next_attempt_at is null`)}`
      : count(isIn('pending'))
  const countPending = prepare(() => builder.selectNoFrom(allPending.as('total')))
  const countExhausted = prepare(() => builder.selectNoFrom(count(isIn('exhausted')).as('total')))
  const countDue = prepare((p: { now: string }) =>
    among(within(p.now)).select([
      sql<number>`count(*)`.as('total'),
      dialect.timeOf(sql`min(${time})`).as('oldest'),
    ]),
  )
  const countPaused = prepare(() =>
    builder.selectFrom('failing_endpoints').select(eb => eb.fn.count<number>('paused_at').as('total')),
  )

  return async now => {
    const [pending, due, exhausted, paused] = await Promise.all([
      read.first(countPending({})),
      read.first(countDue({ now: dialect.time(now) })),
      read.first(countExhausted({})),
      read.first(countPaused({})),
    ])
    return {
      pending: Number(pending?.total ?? 0),
      due: Number(due?.total ?? 0),
      oldestDueAt: instantOrNull(due?.oldest ?? null),
      exhausted: Number(exhausted?.total ?? 0),
      pausedEndpoints: Number(paused?.total ?? 0),
    }
  }
}
