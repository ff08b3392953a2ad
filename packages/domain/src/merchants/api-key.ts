import { z } from 'zod'
import { type Instant, moment } from '../values/date.ts'
import { reference } from '../values/text.ts'

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
  /** From when on it authenticates nobody; null where it does not expire. */
  expiresAt: Instant | null
}

/** What `till.apiKeys.issue` takes beside the merchant. */
export interface NewApiKey {
  /** A name for lists of keys: text of up to 255 characters. */
  label?: string | null | undefined
  /** From when on it is as good as none: a `Date` or an ISO 8601 date-time in the future. Left out, it does not expire. */
  expiresAt?: Date | string | null | undefined
  /** The same in seconds from now, up to 1,000,000,000: one or the other. */
  expiresInSeconds?: number | null | undefined
}

const SECONDS = 'must be a number of seconds above 0'

/** Checks a `NewApiKey`. */
export const newApiKey = z
  .strictObject({
    label: reference.nullish(),
    expiresAt: moment.nullish(),
    expiresInSeconds: z.number(SECONDS).positive(SECONDS).max(1e9, 'must be at most 1000000000').nullish(),
  })
  .refine(
    ({ expiresAt, expiresInSeconds }) => (expiresAt ?? null) === null || (expiresInSeconds ?? null) === null,
    {
      path: ['expiresAt'],
      message: 'must not be given beside expiresInSeconds',
    },
  )
