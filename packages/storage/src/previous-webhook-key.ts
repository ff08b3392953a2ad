import type { Instant } from '@tillkit/domain'

/** A webhook key that another took the place of. */
export interface PreviousWebhookKey {
  /** Sealed. */
  key: string
  /** It signs until then, which may be over. */
  until: Instant
}
