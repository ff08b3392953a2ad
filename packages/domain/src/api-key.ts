import { z } from 'zod'
import type { Instant } from './date.ts'
import { reference } from './text.ts'

/** An API key as it is kept: never the key itself, which its merchant alone has. */
export interface ApiKey {
  /** Names the key to `till.apiKeys.revoke`; it authenticates nobody. */
  id: string
  /** Whose requests the key authenticates. */
  merchantId: string
  /** What the host calls it; null where it gave no name. */
  label: string | null
  /** When it was issued. */
  createdAt: Instant
}

/** What `till.apiKeys.issue` takes beside the merchant. */
export interface NewApiKey {
  /** A name for lists of keys: text of up to 255 characters. */
  label?: string | null | undefined
}

/** Checks a `NewApiKey`. */
export const newApiKey = z.strictObject({ label: reference.nullish() })
