import type { DeliveryCounts, Finding, FindingLevel } from '@tillkit/domain'
import type { StorageCounts, StorageInspection } from '@tillkit/storage'

/** What `till.inspect` takes. */
export interface InspectOptions {
  /** From how many seconds on a transaction of the database is a long one: 60. */
  longTransactionSeconds?: number
}

/** What there is of rows that want somebody, over all merchants. */
export interface InspectedCounts extends Omit<StorageCounts, 'webhookKeys'> {
  /** Webhooks that are to be sent, or were given up. */
  deliveries: DeliveryCounts
  /** Merchants' webhook keys. */
  webhookKeys: WebhookKeyCounts
}

/** How merchants' webhook keys are kept. */
export interface WebhookKeyCounts {
  /** All of them. */
  total: number
  /** Those that are kept as they are, since there were no `secrets` when they were issued. */
  plain: number
  /** Those that are sealed under a secret which this process does not have. */
  unknown: number
}

/** A till and its database, as they were found. */
export interface Inspection {
  /** The worst of the findings' levels. */
  level: FindingLevel
  /** What the database is; null where it did not answer, or does not tell. */
  storage: Pick<StorageInspection, 'engine' | 'version' | 'settings'> | null
  /** What was looked at and what was found, those of the database first. */
  findings: Finding[]
  /** What was counted; null where it could not be. */
  counts: InspectedCounts | null
}
