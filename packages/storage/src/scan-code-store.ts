import type { Merchant, ScanCode } from '@tillkit/domain'

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
   * Adds a scan code. Codes are unique over all merchants: a taken one throws `conflict`, and of two racing for one
   * code, one gets it. An unknown merchant throws `not_found`.
   */
  add(scanCode: ScanCode): Promise<void>

  /** A scan code and its merchant in one read, or null. */
  find(code: string): Promise<FoundScanCode | null>

  /** A merchant's scan codes, oldest first. */
  list(merchantId: string): Promise<ScanCode[]>
}
