import { TillError } from '@tillkit/domain'
import { DatabaseError, UnreadableRowError } from '@tillkit/storage'
import type { Dialect } from '../dialects/dialect.ts'
import { errorCode } from '../dialects/error-code.ts'
import { TRANSACTION_ENDED } from '../dialects/meaning.ts'
import { withoutValues } from './without-values.ts'

/**
 * What a caller is told of an error: a `DatabaseError` with one sentence, and the engine's own error, without values, as
 * its cause. What the caller did wrong, and what is a fault of the program, stays what it is.
 */
export function faultOf(error: unknown, dialect: Dialect): unknown {
  if (!isOfEngine(error)) return error
  if (!(error instanceof DatabaseError)) return databaseError(error, dialect)
  if (error.cause !== undefined) error.cause = withoutValues(error.cause, dialect)
  return error
}

/** False for what comes of what was asked for, of a row that was read, or of the program. */
export function isOfEngine(error: unknown): boolean {
  return !(error instanceof TillError || error instanceof UnreadableRowError || isBug(error))
}

/** The sentence for an error of the engine, which goes with it as its cause. */
export function databaseError(error: unknown, dialect: Dialect, Kind = DatabaseError): DatabaseError {
  // By words that may go with the values.
  const isOf = { lost: dialect.isLost(error), transient: dialect.isTransient(error) }
  const cause = withoutValues(error, dialect)
  return new Kind(sentence(cause, dialect, isOf), { cause })
}

function sentence(error: unknown, dialect: Dialect, isOf: { lost: boolean; transient: boolean }): string {
  const said = error instanceof Error ? error.message || errorCode(error) : 'for no reason that it gave'
  if (CLOSED.test(said)) return 'the storage is closed'
  if (ENDED.test(said)) return TRANSACTION_ENDED
  if (dialect.isMissingTable(error)) return 'the database has no Tillkit tables yet: call storage.migrate()'
  // What one call was given is no fault of the database, as all is that `explain` knows.
  if (dialect.lacksCharacter?.(error)) return `${LACKING}: ${said}`
  const known = dialect.explain(error)
  if (known) return `${known}: ${said}`
  if (isOf.lost) return `the database cannot be reached: ${said}`
  if (isOf.transient) return `the database is too busy with others' transactions: ${said}`
  return `the database failed: ${said}`
}

const LACKING = 'the encoding of the database lacks a character that this call was given, and UTF8 has all'

/** What kysely, mysql2 and pg say where there is nothing left to ask. */
const CLOSED =
  /driver has already been destroyed|Pool is closed|Cannot use a pool after calling end on the pool/

/** What kysely says to whoever asks once it has ended a transaction. */
const ENDED = /^Transaction is already (committed|rolled back)/

/** What JavaScript throws by itself is a fault of the program; Node's own errors, and drivers', have codes. */
function isBug(error: unknown): boolean {
  const own = [TypeError, RangeError, ReferenceError, SyntaxError].some(kind => error instanceof kind)
  return own && errorCode(error) === ''
}
