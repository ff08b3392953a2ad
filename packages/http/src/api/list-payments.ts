import { paymentFilter } from '@tillkit/domain'
import { z } from 'zod'
import { apiAnswers } from '../description/api-answers.ts'
import { json } from '../response/json.ts'
import { examplePayment } from './examples.ts'
import { listOperation } from './operation.ts'
import { paginationHeaders, paginationQuery } from './pagination.ts'
import { listedPayments, paymentObjects } from './payment-objects.ts'

const { startDate, endDate, ...others } = paymentFilter.shape

/** Whoever forgets to encode the `+` of an offset sends a space. */
const plusKept = z
  .string()
  .optional()
  .transform(date => date?.replace(/ (?=\d\d:\d\d$)/, '+'))

const query = paginationQuery.extend({
  startDate: plusKept.pipe(startDate),
  endDate: plusKept.pipe(endDate),
  ...others,
})

/** `GET /payments` (API 4.2). */
export const listPayments = listOperation(
  'Payments',
  {
    operationId: 'listPayments',
    summary: 'Payments, newest first',
    description:
      "The merchant's payments by descending id. All filters that are given must hold. A parameter that is empty, is given " +
      'twice, or is not what it should be gets 400; one that is not described here is ignored. A page after the last one is empty.',
    query,
    answers: apiAnswers({
      description: 'One page of payments.',
      schema: listedPayments,
      example: [examplePayment],
      pages: true,
      invalid:
        'startDate is not valid: it must be an ISO 8601 date-time with Z or an offset (+01:00), such as 2026-11-20T09:30:00Z',
    }),
  },
  async (call, { page, perPage, offset, ...filter }) => {
    const { till, merchant } = call
    const { items, total } = await till.payments.list(merchant.id, { filter, page, perPage, offset })
    return json(200, paymentObjects(call, items), paginationHeaders({ page, perPage, offset }, total))
  },
)
