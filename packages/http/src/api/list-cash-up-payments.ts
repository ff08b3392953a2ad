import { TillError } from '@tillkit/domain'
import { json } from '../json.ts'
import type { Call } from './call.ts'
import { paginationHeaders, paginationQuery } from './pagination.ts'
import { paymentObjects } from './payment-objects.ts'
import { readQuery } from './query.ts'

/** `GET /payments/cash_ups/{reference}` (API 4.5). */
export async function listCashUpPayments({ till, merchant, request, parameter }: Call) {
  if (!/^[0-9a-f]{1,32}$/.test(parameter))
    throw new TillError('not_found', 'There is no cash up with this reference')
  const page = readQuery(paginationQuery, request.query)
  const { items, total } = await till.cashUps.payments(merchant.id, parameter, page)
  return json(200, paymentObjects(merchant, items), paginationHeaders(page, total))
}
