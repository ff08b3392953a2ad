import { z } from 'zod'
import { scanCode } from '../merchants/scan-code.ts'
import { wireDateSchema } from '../values/date.ts'
import { reference } from '../values/text.ts'
import { amount } from './amount.ts'
import { extra } from './extra.ts'
import { PAYMENT_STATUSES } from './payment.ts'

const shown = {
  id: z
    .int()
    .min(0)
    .describe('1, 2, 3 … for each merchant, without a gap. 0 only in a webhook that tests its receiver.'),
  status: z
    .enum(PAYMENT_STATUSES)
    .describe('`pending` until the outcome is known, then `completed` or `error` for good.'),
  date: wireDateSchema.describe(
    'When the payment was started, in UTC; never earlier than that of the payment before.',
  ),
  totalAmount: amount.describe('What the customer pays, in cents, tip included.'),
  tipAmount: amount
    .nullable()
    .describe('The tip in cents: 0 where none was given, null for an account without tips.'),
  scanCode: scanCode.describe('The code that was scanned.'),
  scanCodeReference: reference
    .nullable()
    .describe("The merchant's own name for that code, as it was when the payment started."),
  userReference: reference
    .nullable()
    .describe('What the customer entered; null for an account that does not ask.'),
  statementReference: reference
    .nullable()
    .describe('What the bank statement says once the payment was paid out; null until then.'),
}

const vouchers = {
  isVoucher: z.boolean().describe('Whether a voucher was bought.'),
  isVoucherRedemption: z.boolean().describe('Whether a voucher was paid with.'),
}

const required = {
  requiredAmount: amount.nullable().describe('What was owed, in cents: `amount` of the payment URL.'),
  merchantReference: reference
    .nullable()
    .describe("The merchant's own reference, an order number for example: `id` of the payment URL."),
  authCode: z
    .string()
    .regex(/^\d{6}$/)
    .nullable()
    .describe(
      'Six digits that the customer sees when the payment succeeds; for payments with both a required amount and a merchant reference.',
    ),
}

const device = {
  deviceSerialNumber: reference.nullable().describe('The device that the payment was taken on.'),
  transactionType: z.literal('payment').describe('Always `payment`.'),
}

const others = {
  extra: extra.describe(
    'The other parameters of the payment URL, names to texts; empty where there were none.',
  ),
}

/** A payment on the wire (API 2.1). */
export const paymentObjectSchema = z
  .object({ ...shown, ...vouchers, ...required, ...others })
  .describe('One attempt to pay. What does not apply is null.')

/** A payment on the wire in the lists of a merchant with the feature `deviceLists` (API 2.1). */
export const devicePaymentObjectSchema = z
  .object({ ...shown, ...required, ...device, ...others })
  .describe(
    'A payment in the lists of an account that shows devices: the device in place of what vouchers were.',
  )
