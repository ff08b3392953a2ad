import type { DeliveryState } from '@tillkit/domain'
import type { DeliveryStore } from '@tillkit/storage'
import { sql } from 'kysely'
import { instantOrNull } from '../schema/dates.ts'
import type { Database } from '../session/database.ts'

export function countDeliveries({ builder, read, dialect }: Database): DeliveryStore['counts'] {
  const countOf = (state: DeliveryState) =>
    builder
      .selectFrom('deliveries')
      .select(eb => eb.fn.countAll<number>().as('total'))
      // Said in the statement and not beside it, so that an index of this state alone may be used.
      .where('state', '=', sql.lit(state))
      .compile()
  const due = (now: string) =>
    builder
      .selectFrom('deliveries')
      .select(eb => [
        eb.fn.countAll<number>().as('total'),
        dialect.timeOf(sql`min(${sql.ref('next_attempt_at')})`).as('oldest'),
      ])
      .where('state', '=', sql.lit('pending'))
      .where('next_attempt_at', '<=', now)
      .compile()
  const paused = builder
    .selectFrom('failing_endpoints')
    .select(eb => eb.fn.count<number>('paused_at').as('total'))
    .compile()

  return async now => {
    const [pending, dueNow, exhausted, pausedNow] = await Promise.all([
      read.first(countOf('pending')),
      read.first(due(dialect.time(now))),
      read.first(countOf('exhausted')),
      read.first(paused),
    ])
    return {
      pending: Number(pending?.total ?? 0),
      due: Number(dueNow?.total ?? 0),
      oldestDueAt: instantOrNull(dueNow?.oldest ?? null),
      exhausted: Number(exhausted?.total ?? 0),
      pausedEndpoints: Number(pausedNow?.total ?? 0),
    }
  }
}
