import type { PaymentStore, Resolved } from '@tillkit/storage'
import { resolveAllInOneCall } from '../citus/resolve-payments.ts'
import { toPayment } from '../schema/to-payment.ts'
import type { Database } from '../session/database.ts'
import { inGroups } from './merchant-groups.ts'
import type { Ending, ResolveAlone } from './resolve-all.ts'
import { resolveAllInOneStatement } from './resolve-all-in-one-statement.ts'

/** Read when it is committed: a row that cannot be read has its outcome all the same. */
type Answer = () => Resolved | null

/** Outcomes of one merchant's payments that wait together are written in one statement, their deliveries with them. */
export function outcomesTogether(database: Database, alone: ResolveAlone): PaymentStore['resolve'] {
  const { write, dialect } = database
  const resolveAll = dialect.distributed ? resolveAllInOneCall(database) : resolveAllInOneStatement(database)

  const resolve = inGroups<Ending, Answer>(
    {
      merchantOf: ({ key }) => key.merchantId,
      keyOf: ({ key }) => key.id,
      commonOf: () => null,
      async alone({ key, outcome, now, traceparent }, since) {
        const resolved = await alone(key, outcome, now, traceparent, since)
        return () => resolved
      },
      async together(merchantId, endings, since) {
        const options = { statement: true, repeatable: true, merchantId, locks: 'rows', since } as const
        const rows = await write(session => resolveAll(session, merchantId, endings), options)
        const byId = new Map(rows.map(row => [Number(row[0]), row]))
        return endings.map(({ key }) => {
          const row = byId.get(key.id)
          return row && (() => ({ payment: toPayment(merchantId, row), changed: true }))
        })
      },
    },
    dialect,
  )
  return async (key, outcome, now, traceparent) => (await resolve({ key, outcome, now, traceparent }))()
}
