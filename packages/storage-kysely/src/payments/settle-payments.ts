import { assertSettles, TillError } from '@tillkit/domain'
import type { PaymentStore } from '@tillkit/storage'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { toPayment } from '../schema/to-payment.ts'
import type { Database } from '../session/database.ts'
import type { Session } from '../session/session.ts'
import { findPayment } from './find-payment.ts'
import { hasOneOf } from './has-one-of.ts'

/** How many payments one statement settles: well below the number of parameters that any engine takes. */
const CHUNK = 500

export function settlePayments(database: Database): PaymentStore['settle'] {
  const { builder, write, dialect } = database
  const find = findPayment(database)

  /** Says which of `ids` kept their settlement from going through. */
  async function explain(session: Session, merchantId: string, statementReference: string, ids: number[]) {
    for (const id of ids) {
      const row = await session.first(find({ merchantId, id }))
      if (!row) throw new TillError('not_found', `merchant ${merchantId} has no payment ${id}`)
      assertSettles(toPayment(merchantId, row), statementReference)
    }
  }

  return (merchantId, statementReference, ids) =>
    write(
      async session => {
        const unique = [...new Set(ids)].sort((a, b) => a - b)
        for (let start = 0; start < unique.length; start += CHUNK) {
          const chunk = unique.slice(start, start + CHUNK)
          const settled = await session.change(
            builder
              .updateTable('payments')
              .set({ statement_reference: statementReference })
              .where(eb =>
                dialect.name === 'postgres'
                  ? isOneOfColumns(merchantId, chunk)
                  : eb.and([eb('merchant_id', '=', merchantId), eb('id', 'in', chunk)]),
              )
              .where(hasOneOf(['completed']))
              .where(eb =>
                eb.or([
                  eb('statement_reference', 'is', null),
                  eb('statement_reference', '=', statementReference),
                ]),
              )
              .compile(),
          )
          if (settled !== chunk.length) await explain(session, merchantId, statementReference, chunk)
        }
      },
      { repeatable: true, merchantId, locks: 'rows' },
    )
}

/** The merchant stands beside each id: by itself, a planner takes it for rare, and one index of the merchant's for another. */
function isOneOfColumns(merchantId: string, ids: number[]): RawBuilder<SqlBool> {
  return sql`(merchant_id, id) in (select * from unnest(${ids.map(() => merchantId)}::text[], ${ids}::bigint[]))`
}
