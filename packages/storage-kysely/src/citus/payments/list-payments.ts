import type { PaymentStore } from '@tillkit/storage'
import { idRange, NO_IDS } from '../../payments/listing/id-range.ts'
import { paymentsByArithmetic } from '../../payments/listing/payments-by-arithmetic.ts'
import type { Database } from '../../session/database.ts'

/**
 * Pages of all that a merchant has by statements of one distributed table each, two of which Citus plans in less time than one
 * that joins. With filters a page is what `filtered` makes of it.
 */
export function listByTable(database: Database, filtered: PaymentStore['list']): PaymentStore['list'] {
  const findRange = idRange(database)
  const byArithmetic = paymentsByArithmetic(database)

  return async (merchantId, filter, slice) => {
    if (Object.keys(filter).length > 0) return filtered(merchantId, filter, slice)
    return byArithmetic(merchantId, (await findRange(merchantId, filter)) ?? NO_IDS, slice)
  }
}
