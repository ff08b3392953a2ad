import { z } from 'zod'
import type { Merchant } from '../merchants/merchant.ts'
import type { ScanCode } from '../merchants/scan-code.ts'
import { TillError } from '../till-error.ts'
import { nonEmptyReference, reference } from '../values/text.ts'
import { amount } from './amount.ts'
import { type Extra, extra } from './extra.ts'
import type { Payment } from './payment.ts'

/** What `till.payments.start` takes. A null counts as left out. Texts have up to 255 characters. */
export interface StartPayment {
  /** The code that the customer scanned. */
  scanCode: string
  /** What the customer pays, in cents, tip included: an integer from 0 to 2^53 - 1. */
  totalAmount: number
  /** The tip in cents, part of `totalAmount`. Recorded where the merchant has the feature `tips`: 0 when left out. */
  tipAmount?: number | null | undefined
  /** What the customer entered. Recorded where the merchant has the feature `userReferences`. */
  userReference?: string | null | undefined
  /** The merchant's own reference, an order number for example: `id` of the payment URL. */
  merchantReference?: string | null | undefined
  /** What is owed, in cents: `amount` of the payment URL. */
  requiredAmount?: number | null | undefined
  /**
   * Refuses a reference that has a pending or completed payment already, and less than `requiredAmount` without the tip
   * (API 4.7): the payment is recorded as `error` at once. False when left out.
   */
  strict?: boolean | null | undefined
  /** The other parameters of the payment URL, name to value: up to 50 names, 8 KiB of UTF-8 in all. */
  extra?: Extra | null | undefined
  /** Whether a voucher is bought: false when left out. */
  isVoucher?: boolean | null | undefined
  /** Whether a voucher is paid with: false when left out. */
  isVoucherRedemption?: boolean | null | undefined
  /** The device it is taken on, shown to a merchant with the feature `deviceLists`. */
  deviceSerialNumber?: string | null | undefined
  /**
   * Names this attempt within the merchant, so that whoever asks twice charges once: the same key again returns the first
   * payment, whatever else is given. Text of 1 to 255 characters, such as the id of the host's own record of the attempt.
   */
  attemptKey?: string | null | undefined
}

/** Checks a `StartPayment`. */
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

/** A payment before its store gives it an id, a date and a status. */
export interface NewPayment
  extends Omit<Payment, 'id' | 'date' | 'status' | 'failure' | 'statementReference'> {
  /** Names this attempt within the merchant: started twice, it is one payment. */
  attemptKey: string | null
}

/**
 * What is recorded of an attempt: the tip and the user's reference only where the merchant has them, the scan code's
 * own reference, and `authCode` where both a required amount and a merchant reference are there (API 2.1).
 * Throws `invalid_input` for a tip above the total.
 */
export function newPayment(
  input: StartPayment,
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
