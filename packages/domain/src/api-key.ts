import { z } from 'zod'
import type { Instant } from './date.ts'
import { reference } from './text.ts'

/** An API key as it is kept: never the key itself, which its merchant alone has. */
export interface ApiKey {
  id: string
  merchantId: string
  label: string | null
  createdAt: Instant
}

/** What `till.apiKeys.issue` takes beside the merchant. */
export const newApiKey = z.strictObject({ label: reference.nullish() })
export type NewApiKey = z.input<typeof newApiKey>
