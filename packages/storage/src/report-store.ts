import type { PeriodReport, Sums, WireDate } from '@tillkit/domain'

/** What was taken. Sums are `bigint`, so that they are exact however many amounts of up to 2^53 - 1 there are. */
export interface ReportStore {
  /**
   * What was taken in the merchant's open period, or in the one that a cash up ended: as it is at one moment of the call, whatever
   * starts, gets its outcome or is cashed up beside it. Changes nothing that anyone can see. Null for an unknown merchant, and
   * for a reference that is none of the merchant's. What is final may be kept by the store, so that it is not read again.
   */
  period(merchantId: string, reference: string | null): Promise<PeriodReport<bigint> | null>

  /**
   * What was taken between each two of `bounds`, which ascend and are whole quarters of an hour: by the completed payments
   * that were started at or after the one and before the other. Of one merchant as it is at one moment of the call, and null
   * for an unknown one; for null of all merchants, where each payment counts as it is at some moment of the call.
   */
  takings(merchantId: string | null, bounds: readonly WireDate[]): Promise<Sums<bigint>[] | null>
}
