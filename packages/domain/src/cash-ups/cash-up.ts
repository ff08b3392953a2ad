import { z } from 'zod'
import { type WireDate, wireDateSchema } from '../values/date.ts'
import { nonEmptyReference } from '../values/text.ts'

/** The end of a transaction period (API 2.2). */
export interface CashUp {
  /** When the period ended. */
  date: WireDate
  /** 32 lower-case hexadecimal digits. */
  reference: string
}

/** A cash up on the wire (API 2.2). */
export const cashUpSchema = z
  .object({
    date: wireDateSchema.describe('When the period ended, in UTC.'),
    reference: z
      .string()
      .regex(/^[0-9a-f]{32}$/)
      .describe('Names the cash up and its period: 32 lower-case hexadecimal digits.'),
  })
  .describe('The end of a period: a run of payments, each of which is in exactly one.')

/** What `till.cashUps.create` takes beside the merchant. */
export interface NewCashUp {
  /** The same key again returns the same cash up, whatever happened since: text of 1 to 255 characters. */
  idempotencyKey?: string | null | undefined
}

/** Checks a `NewCashUp`. */
export const newCashUp = z.strictObject({ idempotencyKey: nonEmptyReference.nullish() })
