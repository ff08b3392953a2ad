import { DatabaseError } from '@tillkit/storage'
import { CompiledQuery } from 'kysely'
import type { Execute } from '../connections/connections.ts'

const values = CompiledQuery.raw('select given.one from (select 1 as one) as given') as CompiledQuery<
  Record<string, unknown>
>
/** Answers nothing where it is not known. */
const counts = CompiledQuery.raw('pragma count_changes') as CompiledQuery<{ count_changes?: unknown }>

/** Refuses a host's connection whose answers would be read as others, or not at all: at its first use. */
export async function checkSession(execute: Execute): Promise<boolean> {
  const [found = {}] = (await execute(values)).rows
  if (!('one' in found)) {
    throw new DatabaseError(
      `the connection gives columns other names: leave its pragmas short_column_names and full_column_names as they were`,
    )
  }
  if (typeof found.one !== 'number') {
    throw new DatabaseError(
      `the connection gives whole numbers as ${typeof found.one}: make it without defaultSafeIntegers, and set safeIntegers for statements of your own`,
    )
  }
  if ((await execute(counts)).rows[0]?.count_changes === 1) {
    throw new DatabaseError(
      'the connection has writes answer with rows: leave its pragma count_changes as it was',
    )
  }
  return true
}
