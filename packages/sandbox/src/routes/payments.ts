import { paymentObjectSchema } from '@tillkit/domain'
import { examplePayment, json } from '@tillkit/http'
import { type Payment, TillError } from '@tillkit/till'
import { z } from 'zod'
import type { Ledger } from '../ledger/ledger.ts'
import { newOutcome, newTestPayment, wantedBy } from './payment-body.ts'
import { bodyRoute, plainRoute } from './sandbox-route.ts'

const parameters = z.object({ id: z.int().min(1).describe('The id of a payment.') })
const schema = paymentObjectSchema
const example = examplePayment
const missing = 'There is no payment with this id'

/** `POST /sandbox/payments` */
export const createPayment = bodyRoute(
  {
    at: 'POST /sandbox/payments',
    operationId: 'createTestPayment',
    summary: 'Makes a payment',
    description:
      'A payment as a customer would make it, with the outcome, the delay and the webhook that are wanted. What is owed ' +
      '(`requiredAmount`), strict mode, tips and the rest work as they do live.',
    body: newTestPayment,
    ofPayment: true,
    answers: {
      description: 'The payment, as it is now.',
      schema,
      example,
      invalid: 'totalAmount must be an integer from 0 to 9007199254740991',
      missing: 'scan code counter is unknown',
      conflict: 'a sandbox has at most 1000 payments: reset it',
    },
  },
  async (ledger, body, { words }) => {
    const { outcome: _, failure: __, delaySeconds: ___, webhook: ____, scanCode, ...payment } = body
    const start = { ...payment, scanCode: scanCode ?? (await ledger.firstCode()) }
    return json(200, words.payment(await ledger.pay(start, wantedBy(body))))
  },
)

/** `POST /sandbox/payments/{id}/outcome` */
export const settlePayment = bodyRoute(
  {
    at: 'POST /sandbox/payments/{id}/outcome',
    operationId: 'decideTestPayment',
    summary: 'Gives a pending payment its outcome',
    description: 'The first outcome stands: the same again changes nothing, the other one is a conflict.',
    parameters,
    body: newOutcome,
    answers: {
      description: 'The payment.',
      schema,
      example,
      invalid: 'outcome must be completed or error',
      missing,
      conflict: 'payment 1 is already completed',
    },
  },
  async (ledger, { outcome, failure }, { parameter, words }) => {
    const { id } = await existing(ledger, parameter)
    return json(200, words.payment(await ledger.settle(id, outcome, failure ?? null)))
  },
)

/** `POST /sandbox/payments/{id}/redeliver` */
export const redeliverPayment = plainRoute(
  {
    at: 'POST /sandbox/payments/{id}/redeliver',
    operationId: 'redeliverTestPayment',
    summary: 'Sends the webhook of a payment once more',
    description: 'From the first attempt on, whatever became of those before.',
    parameters,
    answers: {
      description: 'The payment that it tells of.',
      schema,
      example,
      missing,
      conflict: 'payment 1 is pending: there is no outcome to deliver yet',
    },
  },
  async (ledger, { parameter, words }) => {
    const payment = await existing(ledger, parameter)
    await ledger.redeliver(payment.id)
    return json(200, words.payment(payment))
  },
)

/** The payment that stands in the path. */
async function existing({ till, merchantId }: Ledger, text: string): Promise<Payment> {
  const isId = /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text))
  const payment = isId ? await till.payments.get(merchantId, Number(text)) : null
  if (payment === null) throw new TillError('not_found', missing)
  return payment
}
