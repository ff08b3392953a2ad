import type { DeliveryStore, EndpointStore, RepairTimes } from '@tillkit/storage'
import { sql } from 'kysely'
import { endRest } from '../endpoints/end-rest.ts'
import { unforeseen } from '../schema/planner/unforeseen.ts'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/statements/prepared.ts'

interface Run extends RepairTimes {
  merchantId: string
  firstId: number
  lastId: number
}

export function repairDeliveries({ builder, write, dialect }: Database): DeliveryStore['repairDates'] {
  const { time } = dialect
  const ahead = (column: string, p: Run) => sql<boolean>`${sql.ref(column)} > ${p.soon}`
  const dueTooLate = (p: Run) =>
    sql<boolean>`(next_attempt_at > ${p.latest} or (next_attempt_at > ${p.soon}
      and (attempts = 0 or ${ahead('created_at', p)} or ${ahead('last_attempt_at', p)})))`
  const put = (column: string, isWrong: ReturnType<typeof ahead>, p: Run) =>
    sql<string>`case when ${isWrong} then ${dialect.orNow(p.now)} else ${sql.ref(column)} end`
  const repair = prepare((p: Run) =>
    builder
      .updateTable('deliveries')
      // In this order: some engines look at what was set before.
      .set({ next_attempt_at: put('next_attempt_at', dueTooLate(p), p) })
      .set({ last_attempt_at: put('last_attempt_at', ahead('last_attempt_at', p), p) })
      .set({ created_at: put('created_at', ahead('created_at', p), p) })
      .where('merchant_id', '=', p.merchantId)
      .where('payment_id', '>=', unforeseen(dialect, p.firstId))
      .where('payment_id', '<=', unforeseen(dialect, p.lastId))
      .where(eb => eb.or([ahead('created_at', p), ahead('last_attempt_at', p), dueTooLate(p)])),
  )
  const repairAttempts = prepare((p: Run) =>
    builder
      .updateTable('delivery_attempts')
      .set({ began_at: p.now })
      .where('merchant_id', '=', p.merchantId)
      .where('payment_id', '>=', unforeseen(dialect, p.firstId))
      .where('payment_id', '<=', unforeseen(dialect, p.lastId))
      .where('began_at', '>', p.soon),
  )

  return (merchantId, range, { now, soon, latest }) => {
    const run = { merchantId, ...range, now: time(now), soon: time(soon), latest: time(latest) }
    return write(
      async session => {
        const changed = await session.change(repair(run))
        await session.change(repairAttempts(run))
        return changed
      },
      { repeatable: true, merchantId, locks: 'rows' },
    )
  }
}

export function repairEndpoint(database: Database): EndpointStore['repairDates'] {
  const { builder, write, dialect } = database
  const endSome = endRest(database)
  interface Parameters {
    merchantId: string
    now: string
    soon: string
  }
  const dateFailing = prepare((p: Parameters) =>
    builder
      .updateTable('failing_endpoints')
      .set({ failing_since: p.now })
      .where('merchant_id', '=', p.merchantId)
      .where('failing_since', '>', p.soon),
  )
  const unpause = prepare((p: Parameters) =>
    builder
      .updateTable('failing_endpoints')
      .set({ paused_at: null })
      .where('merchant_id', '=', p.merchantId)
      .where('paused_at', '>', p.soon),
  )
  return (merchantId, { now, soon }) => {
    const parameters = { merchantId, now: dialect.time(now), soon: dialect.time(soon) }
    return write(
      async session => {
        const dated = await session.change(dateFailing(parameters))
        const woken = await session.change(unpause(parameters))
        if (woken > 0) await endSome(session, merchantId, parameters.now)
        return dated + woken > 0
      },
      { repeatable: true, merchantId, locks: 'rows' },
    )
  }
}
