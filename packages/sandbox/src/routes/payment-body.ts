import { startPayment } from '@tillkit/domain'
import { z } from 'zod'
import type { Wanted } from '../ledger/ledger.ts'
import { ledgerCode } from '../names.ts'

const { shape } = startPayment
const payment = {
  totalAmount: shape.totalAmount.describe('What the customer pays, in cents, tip included.'),
  tipAmount: shape.tipAmount.describe(
    'The tip in cents, not more than `totalAmount`; kept where the account has tips.',
  ),
  userReference: shape.userReference.describe('What the customer entered; kept where the account asks.'),
  merchantReference: shape.merchantReference.describe('`id` of the payment URL.'),
  requiredAmount: shape.requiredAmount.describe('What is owed, in cents: `amount` of the payment URL.'),
  strict: shape.strict.describe('`strict` of the payment URL.'),
  extra: shape.extra.describe(
    'The other parameters of the payment URL: 8 KiB of UTF-8 at most, and none called `tillkit-sandbox-plan`.',
  ),
  isVoucher: shape.isVoucher.describe('Whether a voucher is bought.'),
  isVoucherRedemption: shape.isVoucherRedemption.describe('Whether a voucher is paid with.'),
  deviceSerialNumber: shape.deviceSerialNumber.describe('The device that the payment is taken on.'),
}
const failure = shape.userReference.describe('Why, with outcome `error`. Merchants are not shown it.')

const SECONDS = 'must be a whole number of seconds, 0 to 31536000'
const seconds = z.int(SECONDS).min(0, SECONDS).max(31_536_000, SECONDS)

const delivery = z.strictObject({
  delaySeconds: seconds.optional().describe("How long after the outcome it is sent, by the ledger's clock."),
  times: z
    .int()
    .min(1)
    .max(10)
    .optional()
    .describe('How often it is sent, though the first was answered with success.'),
  corruptSignature: z.boolean().optional().describe('Signs it with a wrong key.'),
})

const webhook = z.union(
  [z.boolean(), delivery],
  'must be true, false, or an object of delaySeconds (0 to 31536000), times (1 to 10) and corruptSignature (true or false)',
)

const withoutOutcome = {
  path: ['failure'],
  message: 'must not be given but with outcome error',
}

/** The rules between fields in JSON Schema, in words that converters to OpenAPI 3.0 know. */
const failureWith = (...outcomes: string[]) => ({
  required: ['failure'],
  properties: { failure: { type: 'string' }, outcome: { enum: outcomes } },
})
const delayedPending = {
  required: ['outcome', 'delaySeconds'],
  properties: { outcome: { enum: ['pending'] }, delaySeconds: { minimum: 1 } },
}

/** What `POST /sandbox/payments` takes. */
export const newTestPayment = z
  .strictObject({
    scanCode: ledgerCode
      .optional()
      .describe("The code that was scanned; the ledger's first, or a new one, when left out."),
    ...payment,
    outcome: z
      .enum(['completed', 'error', 'pending'], 'must be completed, error or pending')
      .default('completed')
      .describe('How it ends; `pending` waits for `decideTestPayment`.'),
    failure,
    delaySeconds: seconds.default(0).describe("How long it is pending first, by the ledger's clock."),
    webhook: webhook.default(true).describe('Whether its webhook is sent, or what is odd about it.'),
  })
  .refine(({ outcome, failure }) => outcome === 'error' || (failure ?? null) === null, withoutOutcome)
  .refine(({ outcome, delaySeconds }) => outcome !== 'pending' || delaySeconds === 0, {
    path: ['delaySeconds'],
    message: 'must not be given with outcome pending, which waits for a request',
  })
  .meta({ not: { anyOf: [failureWith('completed', 'pending'), delayedPending] } })

/** What `POST /sandbox/payments/{id}/outcome` takes. */
export const newOutcome = z
  .strictObject({ outcome: z.enum(['completed', 'error'], 'must be completed or error'), failure })
  .refine(({ outcome, failure }) => outcome === 'error' || (failure ?? null) === null, withoutOutcome)
  .meta({ not: failureWith('completed') })

/** What is to become of the payment that a body asks for. */
export function wantedBy(body: z.output<typeof newTestPayment>): Wanted {
  const { outcome, failure, delaySeconds, webhook } = body
  const plan = typeof webhook === 'boolean' ? { sent: webhook } : { sent: true, ...webhook }
  return {
    outcome,
    failure: failure ?? null,
    delaySeconds,
    webhook: { delaySeconds: 0, times: 1, corruptSignature: false, ...plan },
  }
}
