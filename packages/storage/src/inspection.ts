import type { Finding, Instant } from '@tillkit/domain'

/** How an inspection is made. */
export interface InspectionRequest {
  /** The time that ages are counted to; null is the store's own. */
  now: Instant | null
  /** From how many seconds on a transaction is a long one. */
  longTransactionSeconds: number
  /** What a webhook key that this process can open begins with, such as `sealed.k1.`: each is counted. */
  webhookKeyPrefixes: readonly string[]
}

/** Payments that are pending for so long, or longer. */
export interface PendingByAge {
  /** Counted are those that were started so many seconds ago or earlier. */
  olderThanSeconds: number
  /** How many. */
  count: number
}

/** How many webhook keys are kept. */
export interface StoredKeyCounts {
  /** All of them; those that sign for a while beside a new one are not counted. */
  total: number
  /** Those that begin with each prefix that was asked for, in that order. */
  withPrefix: number[]
}

/** What there is of rows that want somebody, over all merchants. */
export interface StorageCounts {
  /** By age, the youngest first, so that the first counts all: `PENDING_AGES`. */
  pendingPayments: PendingByAge[]
  /** Deliveries that are exhausted since their payment or merchant is gone, or cannot be read. */
  damagedDeliveries: number
  /** Merchants that are suspended. */
  suspendedMerchants: number
  /** Merchants' webhook keys. */
  webhookKeys: StoredKeyCounts
}

/** The ages by which pending payments are counted, in seconds: any, ten minutes, an hour, a day. */
export const PENDING_AGES: readonly number[] = [0, 600, 3600, 86_400]

/** What a store says of itself. */
export interface StorageInspection {
  /** What it is, as people call it: `PostgreSQL`. */
  engine: string
  /** Its version, as it says it. */
  version: string
  /** The settings that matter to money, by the engine's own names. */
  settings: Record<string, string>
  /** What was looked at, and what was found. */
  findings: Finding[]
  /** What there is of rows that want somebody; null where the tables cannot be read. */
  counts: StorageCounts | null
}
