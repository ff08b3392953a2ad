import { type SqlBool, sql } from 'kysely'
import { errorCode } from '../../dialects/error-code.ts'
import { FUNCTIONS } from '../../schema/names.ts'
import type { Shard } from './shard.ts'

/**
 * For a statement that changes one merchant's rows: at the tables of a shard it is true where the node has the shard, which then stays what
 * it is until the statement is committed. It is not for any other tables.
 */
export const heldHere = sql<SqlBool>`(select ${sql.table(FUNCTIONS.holdHere)}(0, 0))`

const CALL = `${FUNCTIONS.holdHere}"(0, 0)`

export const asksToHold = (text: string): boolean => text.includes(CALL)

/** The text for that shard. */
export function holding(text: string, { id, group }: Pick<Shard, 'id' | 'group'>): string {
  return text.replace(CALL, `${FUNCTIONS.holdHere}"(${id}, ${group})`)
}

/** True where the shard was not to be held at once, or by a database whose functions are of an earlier version: nothing was done. */
export function isNotHeld(error: unknown): boolean {
  const code = errorCode(error)
  if (code === '42883') return true
  return code === '55P03' && `${(error as { where?: unknown }).where}`.includes(FUNCTIONS.holdHere)
}
