import { paymentObjectSchema, TillError } from '@tillkit/domain'
import { z } from 'zod'
import { apiAnswers } from '../description/api-answers.ts'
import { json } from '../response/json.ts'
import { examplePayment } from './examples.ts'
import { operation } from './operation.ts'

const NOT_THERE = 'There is no payment with this id'

/** `GET /payments/{id}` (API 4.3). */
export const getPayment = operation(
  'Payments',
  {
    operationId: 'getPayment',
    summary: 'One payment',
    description:
      'One payment by its id, in the same form for every account. An id that the merchant does not have is 404; so is ' +
      "another merchant's, and what is no positive integer in plain digits.",
    parameters: z.object({ id: z.int().min(1).describe('The id of a payment.') }),
    answers: apiAnswers({
      description: 'The payment.',
      schema: paymentObjectSchema,
      example: examplePayment,
      missing: NOT_THERE,
    }),
  },
  async ({ till, merchant, parameter, words }) => {
    const id = paymentId(parameter)
    const payment = id === null ? null : await till.payments.get(merchant.id, id)
    if (payment === null) throw new TillError('not_found', NOT_THERE)
    return json(200, words.payment(payment))
  },
)

function paymentId(text: string): number | null {
  return /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null
}
