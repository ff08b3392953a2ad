import { z } from 'zod'
import type { WireDate } from './date.ts'
import { nonEmptyReference } from './text.ts'

/** The end of a transaction period (specification 2.2). */
export interface CashUp {
  date: WireDate
  /** 32 lower-case hexadecimal digits. */
  reference: string
}

/** What `till.cashUps.create` takes beside the merchant: the same key again returns the same cash up. */
export const newCashUp = z.strictObject({ idempotencyKey: nonEmptyReference.nullish() })
export type NewCashUp = z.input<typeof newCashUp>
