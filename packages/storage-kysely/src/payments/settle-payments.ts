import { assertSettles, TillError } from '@tillkit/domain'
import type { PaymentStore } from '@tillkit/storage'
import { toPayment } from '../schema/rows/to-payment.ts'
import type { Database } from '../session/database.ts'
import type { Session } from '../session/session.ts'
import { addToTotals } from '../settlements/add-to-totals.ts'
import { CHUNK, type LockedPayment, markSettled } from '../settlements/mark-settled.ts'
import { findPaymentNow } from './find-payment.ts'

export function settlePayments(database: Database): PaymentStore['settle'] {
  const { write } = database
  const { lock, mark } = markSettled(database)
  const add = addToTotals(database)
  const find = findPaymentNow(database)

  /** Says which of `ids` keeps their settlement from going through. */
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
        const totals = { count: 0, amount: 0n, fees: 0n }
        const settles = ({ completed, statementReference: settled }: LockedPayment) =>
          completed && (settled === null || settled === statementReference)
        for (let start = 0; start < unique.length; start += CHUNK) {
          const chunk = unique.slice(start, start + CHUNK)
          let locked = await lock(session, merchantId, chunk)
          while (locked.filter(settles).length < chunk.length) {
            await explain(session, merchantId, statementReference, chunk)
            // A statement that waits for a lock does not see what began meanwhile; the next one does.
            locked = await lock(session, merchantId, chunk)
          }
          const fresh = locked.filter(payment => payment.statementReference === null)
          const freshIds = fresh.map(({ id }) => id)
          await mark(session, merchantId, statementReference, freshIds)
          totals.count += fresh.length
          totals.amount += fresh.reduce((sum, { totalAmount }) => sum + totalAmount, 0n)
        }
        await add(session, merchantId, statementReference, totals)
      },
      { repeatable: true, merchantId, locks: 'rows' },
    )
}
