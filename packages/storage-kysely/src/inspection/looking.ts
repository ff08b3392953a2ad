import { type Finding, findingsOf } from '@tillkit/domain'
import { DatabaseError } from '@tillkit/storage'
import { databaseError } from '../faults/fault-of.ts'
import type { Database, Whole } from '../session/database.ts'

/** What everything that looks is handed. */
export interface Looking extends Whole, Pick<Database, 'dialect' | 'write'> {
  /** From how many seconds on a transaction is a long one. */
  longTransactionSeconds: number
}

/** What an engine says of itself. */
export interface EngineInspection {
  engine: string
  version: string
  settings: Record<string, string>
  findings: Finding[]
}

/** What `look` finds; where it may not look, or the engine cannot say, that is what was found. */
export async function lookAt(
  check: string,
  { dialect }: Pick<Looking, 'dialect'>,
  look: () => Promise<Finding[]>,
): Promise<Finding[]> {
  try {
    return await look()
  } catch (error) {
    const { message } = error instanceof DatabaseError ? error : databaseError(error, dialect)
    return [findingsOf(check).note(`This could not be looked at: ${message}.`)]
  }
}
