import type { Instant, Merchant, ScanCode } from '@tillkit/domain'

/** A scan code and whose it is. */
export interface FoundScanCode {
  /** The code. */
  scanCode: ScanCode
  /** Its merchant, as it is now. */
  merchant: Merchant
}

/** Scan codes, each of which is one merchant's for good. */
export interface ScanCodeStore {
  /**
   * Adds a scan code, which is not suspended. Codes are unique over all merchants: a taken one throws `conflict`, and of two racing for one
   * code, one gets it. An unknown merchant throws `not_found`.
   */
  add(scanCode: Omit<ScanCode, 'suspendedAt'>): Promise<void>

  /** A scan code and its merchant in one read, or null. */
  find(code: string): Promise<FoundScanCode | null>

  /** A merchant's scan codes, oldest first, those of one moment by their code. */
  list(merchantId: string): Promise<ScanCode[]>

  /**
   * Suspends the code at `now`, under its merchant's lock: no `start` on it that comes to the lock after that records a
   * payment, in any process. One that is suspended already stays so since when it was. Null for an unknown code.
   */
  suspend(code: string, now: Instant): Promise<ScanCode | null>

  /** Ends that; one that is not suspended stays as it is. Null for an unknown code. */
  resume(code: string): Promise<ScanCode | null>
}
