import type { Payment } from '@tillkit/domain'
import type { PaymentToSettle, SettlementStore } from '@tillkit/storage'
import { findPaymentNow } from '../payments/find-payment.ts'
import { toPayment } from '../schema/rows/to-payment.ts'
import type { Database } from '../session/database.ts'
import { addToTotals } from './add-to-totals.ts'
import { CHUNK, markSettled } from './mark-settled.ts'

/**
 * Locks payments in the order of their ids, and then the totals, so that no two of these wait for each other. The totals are
 * changed in the transaction that changes the payments: what was counted once has its reference, and is not counted again.
 */
export function settleEach(database: Database): SettlementStore['settle'] {
  const { write } = database
  const { lock, mark } = markSettled(database)
  const add = addToTotals(database)
  const find = findPaymentNow(database)

  return (merchantId, statementReference, payments) => {
    const fees = feesById(payments)
    const ids = [...fees.keys()]
    return write(
      async session => {
        const settled: number[] = []
        const others: Payment[] = []
        const totals = { count: 0, amount: 0n, fees: 0n }
        for (let start = 0; start < ids.length; start += CHUNK) {
          const locked = await lock(session, merchantId, ids.slice(start, start + CHUNK))
          const fresh = locked.filter(one => one.completed && one.statementReference === null)
          const freshIds = fresh.map(({ id }) => id)
          await mark(session, merchantId, statementReference, freshIds)
          settled.push(...freshIds)
          for (const { id, totalAmount } of fresh) {
            totals.count += 1
            totals.amount += totalAmount
            totals.fees += BigInt(fees.get(id) ?? 0)
          }
          for (const { id } of locked.filter(one => !fresh.includes(one))) {
            const row = await session.first(find({ merchantId, id }))
            if (row) others.push(toPayment(merchantId, row))
          }
        }
        await add(session, merchantId, statementReference, totals)
        return { settled, others }
      },
      { repeatable: true, merchantId, locks: 'rows' },
    )
  }
}

/** The fee of each payment by ascending id: the first that was given for it. */
function feesById(payments: PaymentToSettle[]): Map<number, number> {
  const fees = new Map<number, number>()
  for (const { id, fee } of payments.toSorted((a, b) => a.id - b.id)) if (!fees.has(id)) fees.set(id, fee)
  return fees
}
