import { DatabaseError } from '@tillkit/storage'
import type { Dialect } from '../dialects/dialect.ts'

/**
 * True for an error that the database would give any statement now: it is away, full, read-only, or nobody knows what it
 * did. A lock that was waited for in vain is that of a row, and other rows may be free.
 */
export function isOfDatabase(error: unknown, dialect: Dialect): boolean {
  if (error instanceof DatabaseError) return !dialect.isLockWait(error.cause)
  return dialect.isLost(error) || dialect.isMissingTable(error) || dialect.explain(error) !== undefined
}
