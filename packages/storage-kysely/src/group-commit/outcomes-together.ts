import type { Resolved } from '@tillkit/storage'
import { resolveAllInOneCall, resolveOfEachAtNode } from '../citus/payments/resolve-payments.ts'
import { type EndedRow, handedOverIn } from '../deliveries/outbox/handed-over.ts'
import { toPayment } from '../schema/rows/to-payment.ts'
import type { Database } from '../session/database.ts'
import { type Doubt, inDoubt } from '../session/transactions/doubt.ts'
import { inGroups } from './merchant-groups.ts'
import { ofSeveral } from './of-several.ts'
import type { Ending, ResolveAll, ResolveAlone } from './resolve-all.ts'
import { resolveAllInOneStatement } from './resolve-all-in-one-statement.ts'
import { resolveAllInSteps } from './resolve-all-in-steps.ts'

/**
 * Read when it is committed: a row that cannot be read has its outcome all the same. Asked for as one that has waited since then: those
 * of a statement came at other times.
 */
type Answer = (since: number) => Resolved | null | Promise<Resolved | null>

function resolveAllFor(database: Database): ResolveAll {
  const { composes, distributed } = database.dialect
  if (distributed) return resolveAllInOneCall(database)
  return composes ? resolveAllInOneStatement(database) : resolveAllInSteps(database)
}

/** Outcomes that wait together are written in one step, their deliveries with them. */
export function outcomesTogether(database: Database, alone: ResolveAlone): ResolveAlone {
  const { write, writesWait, nodeOf, dialect } = database
  const { composes, distributed = false } = dialect
  const resolveAll = resolveAllFor(database)
  const resolveOfEach = distributed ? resolveOfEachAtNode(database) : resolveAll
  const usual = {
    statement: composes,
    saysLimit: true,
    repeatable: true,
    holdsShard: distributed,
    locks: 'rows',
  } as const
  const answersOf = (endings: Ending[], rows: (EndedRow | undefined)[], doubt: Doubt) =>
    endings.map((ending, place): Answer | undefined => {
      const row = rows[place]
      if (!row && doubt.unknown) return since => inDoubt(doubt, () => alone(ending, since))
      if (!row) return undefined
      const { key, traceparent } = ending
      return () => {
        const payment = toPayment(key.merchantId, row)
        return { payment, changed: true, claimed: handedOverIn(payment, traceparent, row) }
      }
    })

  const ofEach = async (take: () => Ending[], since: number) => {
    const doubt: Doubt = {}
    const options = { ...usual, ...ofSeveral(dialect), doubt, since }
    const rows = await write(session => resolveOfEach(session, take()), options)
    return answersOf(take(), rows, doubt)
  }

  const resolve = inGroups<Ending, Answer>(
    {
      merchantOf: ({ key }) => key.merchantId,
      keyOf: ({ key }) => key.id,
      commonOf: () => null,
      async alone(ending, since) {
        const resolved = await alone(ending, since)
        return () => resolved
      },
      repeatable: usual.repeatable,
      async together(merchantId, endings, since) {
        const doubt: Doubt = {}
        const options = { ...usual, doubt, merchantId, since }
        const rows = await write(session => resolveAll(session, endings), options)
        return answersOf(endings, rows, doubt)
      },
      ofEach: writesWait && { isBusy: writesWait, together: ofEach },
      nodeOf,
    },
    dialect,
  )
  return async ending => {
    const since = performance.now()
    return (await resolve(ending))(since)
  }
}
