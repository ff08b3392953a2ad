import type { Page, Payment, PaymentFilter } from '@tillkit/domain'
import type { PaymentStore } from '@tillkit/storage'
import { toPayment } from '../schema/rows.ts'
import type { Database } from '../session/database.ts'
import { countedSide } from './counting.ts'
import { type IdRange, idRange } from './id-range.ts'
import { listInOneStatement } from './list-in-one-statement.ts'
import { matchingPayments } from './matching-payments.ts'
import { withoutDates } from './passing.ts'
import { paymentsByArithmetic } from './payments-by-arithmetic.ts'

export function listPayments(database: Database): PaymentStore['list'] {
  return database.dialect.composes ? listInOneStatement(database) : listInSteps(database)
}

function listInSteps(database: Database): PaymentStore['list'] {
  const { read } = database
  const findRange = idRange(database)
  const byArithmetic = paymentsByArithmetic(database)
  const matching = matchingPayments(database)

  async function count(merchantId: string, range: IdRange, filter: PaymentFilter): Promise<number> {
    const { counted, fails } = countedSide(filter)
    const found = await matching.count(merchantId, range, counted)
    return fails ? range.last - range.first + 1 - found : found
  }

  return async (merchantId, filter, slice): Promise<Page<Payment>> => {
    const range = await findRange(merchantId, filter)
    if (range.last < range.first) return { items: [], total: 0 }
    const rest = withoutDates(filter)
    if (Object.keys(rest).length === 0) return byArithmetic(merchantId, range, slice)
    const total = await count(merchantId, range, rest)
    const items = slice.skip < total ? await read.all(matching.slice(merchantId, range, rest, slice)) : []
    return { items: items.map(toPayment), total }
  }
}
