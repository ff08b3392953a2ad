import { DatabaseError } from '@tillkit/storage'
import { CompiledQuery } from 'kysely'
import type { Execute } from '../connections/connections.ts'

const query = CompiledQuery.raw('select 1 as one') as CompiledQuery<{ one: unknown }>

/** Refuses a host's connection that gives whole numbers as something else, so that what was written could not be read: at its first use. */
export async function checkSession(execute: Execute): Promise<boolean> {
  const [found] = (await execute(query)).rows
  if (typeof found?.one === 'number') return true
  throw new DatabaseError(
    `the connection gives whole numbers as ${typeof found?.one}: make it without defaultSafeIntegers, and set safeIntegers for statements of your own`,
  )
}
