import type { FUNCTIONS } from '../../schema/names.ts'
import type { Tables } from '../../schema/tables.ts'

/** The full name of a table, in quotes. */
export type TableName = (table: keyof Tables) => string

/**
 * A function in PL/pgSQL that does all of a write at the node that has the merchant's rows. Its first argument is the
 * merchant: by it Citus finds the node, and sends the whole call there.
 */
export interface Definition {
  name: (typeof FUNCTIONS)[keyof typeof FUNCTIONS]
  /** `name type`, in order. */
  takes: string[]
  returns: string
  /** As in `set`, for as long as a call of it lasts. */
  settings?: string[]
  body: string
}

/**
 * For how many milliseconds one waits for a lock who does so for others too. To look first whether another has it is a statement more for
 * each row, and hardly ever finds one.
 */
export const BRIEF_LOCK_WAIT = 'lock_timeout=2'
