import type { PaymentStatus } from '../payments/payment.ts'
import type { WireDate } from '../values/date.ts'

/** What some payments come to. `Amount` is `bigint` where a store adds up: a sum may be more than a number holds exactly. */
export interface Sums<Amount = number> {
  /** How many they are. */
  count: number
  /** Their total amounts, in cents, tips included. */
  totalAmount: Amount
  /** Their tips, in cents. */
  tipAmount: Amount
}

/** What the completed payments of one scan code come to. */
export interface ScanCodeSums<Amount = number> extends Sums<Amount> {
  /** The code that was scanned. */
  scanCode: string
  /** The merchant's own name for it, as the last of these payments has it. */
  scanCodeReference: string | null
}

/** What the completed payments of one device come to. */
export interface DeviceSums<Amount = number> extends Sums<Amount> {
  /** The device they were taken on; null for those that name none. */
  deviceSerialNumber: string | null
}

/** What was taken in one period: of the open one what is often called an X report, of a closed one a Z report. */
export interface PeriodReport<Amount = number> {
  /** The cash up that ended the period; null for the open one. */
  reference: string | null
  /** Whether it can never change any more: the period is closed, and none of its payments is pending. */
  final: boolean
  /** The period's first payment; null where it has none. */
  firstPaymentId: number | null
  /** Its last payment so far; null where it has none. */
  lastPaymentId: number | null
  /** When its first payment was started; null where it has none. */
  from: WireDate | null
  /** When its last payment so far was started; null where it has none. */
  to: WireDate | null
  /** All its payments, by their status. */
  byStatus: Record<PaymentStatus, Sums<Amount>>
  /** Those of its completed payments that have to do with vouchers. */
  vouchers: {
    /** Payments by which a voucher was bought. */
    issued: Sums<Amount>
    /** Payments that a voucher was used for. */
    redeemed: Sums<Amount>
  }
  /** Its completed payments, by scan code, in the order of the codes. */
  byScanCode: ScanCodeSums<Amount>[]
  /** Its completed payments, by device, in the order of serial numbers; those without a device come first. */
  byDevice: DeviceSums<Amount>[]
}

/** What was taken in one hour or day. */
export interface Takings extends Sums {
  /** When it begins. */
  from: WireDate
}
