import type { Instant } from '../values/date.ts'
import type { Page } from '../values/page.ts'

/** What was paid out. Amounts are in cents: numbers, unless a store is adding them up. */
export interface SettlementTotals<Amount = number> {
  /** How many payments. */
  count: number
  /** Of those payments, the sum of `totalAmount`. */
  amount: Amount
  /** What was kept of that. */
  fees: Amount
}

/** What was paid out to one merchant under one statement reference. */
export interface MerchantSettlement extends SettlementTotals {
  /** Whom. */
  merchantId: string
}

/** A statement, and what was paid out under its reference. */
export interface ListedStatement extends SettlementTotals {
  /** The reference on the merchants' bank statements. */
  statementReference: string
  /** When its first import began; null where it was never imported: its payments were settled by `till.payments.settle`. */
  startedAt: Instant | null
  /** When an import of it last came to its end; null where none did. */
  finishedAt: Instant | null
  /** How many rows that import had; null where none came to its end. */
  rows: number | null
  /** How many of those rows settled nothing, and were not settled before; null where no import came to its end. */
  differences: number | null
  /** How many merchants have payments under it. */
  merchants: number
}

/** A statement, and a part of the merchants that it pays. */
export interface FoundStatement extends ListedStatement {
  /** By ascending id, in code-point order; its `total` is `merchants`. */
  byMerchant: Page<MerchantSettlement>
}
