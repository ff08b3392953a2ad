import { z } from 'zod'
import type { WireDate } from './date.ts'
import { nonEmptyReference } from './text.ts'

/** The end of a transaction period (API 2.2). */
export interface CashUp {
  /** When the period ended. */
  date: WireDate
  /** 32 lower-case hexadecimal digits. */
  reference: string
}

/** What `till.cashUps.create` takes beside the merchant. */
export interface NewCashUp {
  /** The same key again returns the same cash up, whatever happened since: text of 1 to 255 characters. */
  idempotencyKey?: string | null | undefined
}

/** Checks a `NewCashUp`. */
export const newCashUp = z.strictObject({ idempotencyKey: nonEmptyReference.nullish() })
