import { TillError } from '../till-error.ts'

/** What a payment would be started on. */
export interface Suspensions {
  /** Who would be paid. */
  merchantId: string
  /** Whether the merchant is suspended. */
  merchant: boolean
  /** What was scanned. */
  code: string
  /** Whether its scan code is. */
  scanCode: boolean
}

/** Throws `conflict` where no payment may be started, naming what is suspended. */
export function assertTakesPayments({ merchantId, merchant, code, scanCode }: Suspensions): void {
  if (merchant) throw new TillError('conflict', `merchant ${merchantId} is suspended: it takes no payments`)
  if (scanCode) throw new TillError('conflict', `scan code ${code} is suspended: it takes no payments`)
}
