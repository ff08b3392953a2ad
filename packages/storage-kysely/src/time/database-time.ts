import type { Instant } from '@tillkit/domain'
import type { Kysely } from 'kysely'
import type { Dialect } from '../dialects/index.ts'
import { instantOf } from '../schema/dates.ts'

/** The time that the processes of one database share, where no storage has been opened yet. */
export async function databaseTime(
  db: Kysely<unknown>,
  { sharedTime, timeOf, orNow }: Dialect,
): Promise<Instant> {
  if (sharedTime) return sharedTime()
  const { now } = await db.selectNoFrom(timeOf(orNow(null)).as('now')).executeTakeFirstOrThrow()
  return instantOf(now)
}
