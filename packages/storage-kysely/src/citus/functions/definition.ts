import type { FUNCTIONS } from '../../schema/names.ts'
import type { Tables } from '../../schema/tables.ts'

/** The full name of a table, or of a function that the others call, in quotes. */
export type TableName = (name: keyof Tables | typeof FUNCTIONS.hold | typeof FUNCTIONS.holdAll) => string

/**
 * A function in PL/pgSQL that does all of a write at the node that has the merchant's rows. Its first argument is the
 * merchant: by it Citus finds the node, and sends the whole call there.
 */
export interface Definition {
  name: (typeof FUNCTIONS)[keyof typeof FUNCTIONS]
  /** `name type`, in order. */
  takes: string[]
  returns: string
  /** As in `set`, for as long as a call of it lasts: `FUNCTION_SETTINGS` before them, unless it is carried out by the owner. */
  settings?: string[]
  /** Carried out with the rights of the tables' owner, where it is called: it is sent to no node. */
  byOwner?: boolean
  body: string
}

/**
 * For how many milliseconds one waits for a lock who does so for others too. To look first whether another has it is a statement more for
 * each row, and hardly ever finds one.
 */
export const BRIEFLY = 2

export const BRIEF_LOCK_WAIT = `lock_timeout=${BRIEFLY}`
