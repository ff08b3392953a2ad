import { z } from 'zod'
import { amount } from '../payments/amount.ts'
import { type Payment, paymentId } from '../payments/payment.ts'

/**
 * One line of a statement: a payment that whoever pays out says to have paid out. At least one of `paymentId`, `merchantReference` and
 * `authCode` says which payment; of several, all must hold.
 */
export interface StatementRow {
  /** Whose payment it is. */
  merchantId: string
  /** The payment's id. */
  paymentId?: number | null | undefined
  /** The reference that the payment has of its merchant. */
  merchantReference?: string | null | undefined
  /** The payment's six digits. */
  authCode?: string | null | undefined
  /** What was paid, in cents: it is compared with `totalAmount`. */
  amount: number
  /** What was kept of it, in cents, up to 10^12; below 0 where it was given back. None when left out. */
  fee?: number | null | undefined
  /** Where it stands in its file, for messages; it is handed back with the row. */
  line?: number | null | undefined
}

const MOST_FEE = 1e12
const FEE = `must be an integer from -${MOST_FEE} to ${MOST_FEE}`

/** Checks a `StatementRow`. A text that no merchant or payment can have passes: it is of nobody. */
export const statementRow = z
  .strictObject({
    merchantId: z.string(),
    paymentId: paymentId.nullish(),
    merchantReference: z.string().nullish(),
    authCode: z.string().nullish(),
    amount,
    fee: z.int(FEE).min(-MOST_FEE, FEE).max(MOST_FEE, FEE).nullish(),
    line: z.int('must be an integer').nullish(),
  })
  .refine(
    row => (row.paymentId ?? row.merchantReference ?? row.authCode ?? null) !== null,
    'must have a paymentId, a merchantReference or an authCode',
  )

/** What a payment is called by: each part that is not null must hold. */
export interface PaymentName {
  /** Its id. */
  id: number | null
  /** Its reference of the merchant. */
  merchantReference: string | null
  /** Its six digits. */
  authCode: string | null
}

/** What a row of a statement calls its payment. */
export function paymentNameOf(row: StatementRow): PaymentName {
  return {
    id: row.paymentId ?? null,
    merchantReference: row.merchantReference ?? null,
    authCode: row.authCode ?? null,
  }
}

/** Whether a payment may be called so. */
export function isNamed(payment: Payment, { id, merchantReference, authCode }: PaymentName): boolean {
  return (
    (id === null || payment.id === id) &&
    (merchantReference === null || payment.merchantReference === merchantReference) &&
    (authCode === null || payment.authCode === authCode)
  )
}
