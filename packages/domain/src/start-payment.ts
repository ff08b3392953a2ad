import { z } from 'zod'
import { amount } from './amount.ts'
import { extra } from './extra.ts'
import type { Merchant } from './merchant.ts'
import type { Payment } from './payment.ts'
import type { ScanCode } from './scan-code.ts'
import { nonEmptyReference, reference } from './text.ts'
import { TillError } from './till-error.ts'

/** What `till.payments.start` takes. A null counts as left out. */
export const startPayment = z.strictObject({
  scanCode: z.string(),
  totalAmount: amount,
  tipAmount: amount.nullish(),
  userReference: reference.nullish(),
  merchantReference: reference.nullish(),
  requiredAmount: amount.nullish(),
  strict: z.boolean().nullish(),
  extra: extra.nullish(),
  isVoucher: z.boolean().nullish(),
  isVoucherRedemption: z.boolean().nullish(),
  deviceSerialNumber: reference.nullish(),
  attemptKey: nonEmptyReference.nullish(),
})
export type StartPayment = z.input<typeof startPayment>

/** A payment before its store gives it an id, a date and a status. */
export interface NewPayment
  extends Omit<Payment, 'id' | 'date' | 'status' | 'failure' | 'statementReference'> {
  /** Names this attempt within the merchant: started twice, it is one payment. */
  attemptKey: string | null
}

/**
 * What is recorded of an attempt: the tip and the user's reference only where the merchant has them, the scan code's
 * own reference, and `authCode` where both a required amount and a merchant reference are there (specification 2.1).
 * Throws `invalid_input` for a tip above the total.
 */
export function newPayment(
  input: z.output<typeof startPayment>,
  merchant: Merchant,
  scanCode: ScanCode,
  authCode: () => string,
): NewPayment {
  const tip = input.tipAmount ?? 0
  if (tip > input.totalAmount) {
    throw new TillError('invalid_input', 'tipAmount must not be more than totalAmount, which includes it')
  }
  const requiredAmount = input.requiredAmount ?? null
  const merchantReference = input.merchantReference ?? null
  return {
    merchantId: merchant.id,
    totalAmount: input.totalAmount,
    tipAmount: merchant.features.tips ? tip : null,
    scanCode: scanCode.code,
    scanCodeReference: scanCode.reference,
    userReference: merchant.features.userReferences ? (input.userReference ?? null) : null,
    isVoucher: input.isVoucher ?? false,
    isVoucherRedemption: input.isVoucherRedemption ?? false,
    requiredAmount,
    merchantReference,
    authCode: requiredAmount !== null && merchantReference !== null ? authCode() : null,
    deviceSerialNumber: input.deviceSerialNumber ?? null,
    strict: input.strict ?? false,
    extra: input.extra ?? {},
    attemptKey: input.attemptKey ?? null,
  }
}
