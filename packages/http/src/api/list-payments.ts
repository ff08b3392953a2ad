import { paymentFilter } from '@tillkit/domain'
import { z } from 'zod'
import { json } from '../json.ts'
import type { Call } from './call.ts'
import { paginationHeaders, paginationQuery } from './pagination.ts'
import { paymentObjects } from './payment-objects.ts'
import { readQuery } from './query.ts'

const { startDate, endDate, ...others } = paymentFilter.shape

/** Whoever forgets to encode the `+` of an offset sends a space. */
const plusKept = z
  .string()
  .optional()
  .transform(date => date?.replace(/ (?=\d\d:?\d\d$)/, '+'))

const query = paginationQuery.extend({
  startDate: plusKept.pipe(startDate),
  endDate: plusKept.pipe(endDate),
  ...others,
})

/** `GET /payments` (API 4.2). */
export async function listPayments({ till, merchant, request }: Call) {
  const { page, perPage, offset, ...filter } = readQuery(query, request.query)
  const { items, total } = await till.payments.list(merchant.id, { filter, page, perPage, offset })
  return json(200, paymentObjects(merchant, items), paginationHeaders({ page, perPage, offset }, total))
}
