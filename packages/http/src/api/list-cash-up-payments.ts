import { cashUpSchema } from '@tillkit/domain'
import { apiAnswers } from '../description/api-answers.ts'
import { json } from '../response/json.ts'
import { examplePayment } from './examples.ts'
import { listOperation } from './operation.ts'
import { paginationHeaders, paginationQuery } from './pagination.ts'
import { listedPayments, paymentObjects } from './payment-objects.ts'

/** `GET /payments/cash_ups/{reference}` (API 4.5). */
export const listCashUpPayments = listOperation(
  'Cash ups',
  {
    operationId: 'listCashUpPayments',
    summary: 'The completed payments of a period',
    description:
      'The completed payments of a period by descending id. While any payment of the period is pending it is 500 with the ' +
      'code `not_ready`: ask again after `Retry-After` seconds. Once it was 200, it lists the same payments for ever.',
    parameters: cashUpSchema.pick({ reference: true }),
    query: paginationQuery,
    answers: apiAnswers({
      description: 'One page of the payments of the period.',
      schema: listedPayments,
      example: [examplePayment],
      pages: true,
      invalid: 'perPage is not valid: it must be an integer from 1 to 100',
      missing: 'cash up 00000000000000000000000000000000 is unknown',
      notReady: 'The query is not ready: the period has pending payments. Try again shortly.',
    }),
  },
  async (call, page) => {
    const { till, merchant, parameter } = call
    const { items, total } = await till.cashUps.payments(merchant.id, parameter, page)
    return json(200, paymentObjects(call, items), paginationHeaders(page, total))
  },
)
