import type { Resolved } from '@tillkit/storage'
import { resolveAllInOneCall } from '../citus/resolve-payments.ts'
import { handedOverIn } from '../deliveries/handed-over.ts'
import { toPayment } from '../schema/to-payment.ts'
import type { Database } from '../session/database.ts'
import { inGroups } from './merchant-groups.ts'
import type { Ending, ResolveAlone } from './resolve-all.ts'
import { resolveAllInOneStatement } from './resolve-all-in-one-statement.ts'

/** Read when it is committed: a row that cannot be read has its outcome all the same. */
type Answer = () => Resolved | null

/** Outcomes of one merchant's payments that wait together are written in one statement, their deliveries with them. */
export function outcomesTogether(database: Database, alone: ResolveAlone): ResolveAlone {
  const { write, dialect } = database
  const resolveAll = dialect.distributed ? resolveAllInOneCall(database) : resolveAllInOneStatement(database)

  const resolve = inGroups<Ending, Answer>(
    {
      merchantOf: ({ key }) => key.merchantId,
      keyOf: ({ key }) => key.id,
      commonOf: () => null,
      async alone(ending, since) {
        const resolved = await alone(ending, since)
        return () => resolved
      },
      async together(merchantId, endings, since) {
        const options = { statement: true, repeatable: true, merchantId, locks: 'rows', since } as const
        const rows = await write(session => resolveAll(session, merchantId, endings), options)
        const byId = new Map(rows.map(row => [Number(row[0]), row]))
        return endings.map(({ key, traceparent }) => {
          const row = byId.get(key.id)
          if (!row) return undefined
          return () => {
            const payment = toPayment(merchantId, row)
            return { payment, changed: true, claimed: handedOverIn(payment, traceparent, row) }
          }
        })
      },
    },
    dialect,
  )
  return async ending => (await resolve(ending))()
}
