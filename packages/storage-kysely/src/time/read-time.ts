import type { Instant } from '@tillkit/domain'
import type { Storage } from '@tillkit/storage'
import type { Kysely } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import { instantOf } from '../schema/dates.ts'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/statements/prepared.ts'

const timeOf = <Tables>(db: Kysely<Tables>, dialect: Dialect) =>
  db.selectNoFrom(dialect.timeOf(dialect.orNow(null)).as('now'))

/** The time that the processes of one database share. */
export function readTime({ builder, read, dialect }: Database): NonNullable<Storage['time']> {
  const { sharedTime } = dialect
  if (sharedTime) return async () => new Date(sharedTime())
  const ask = prepare((_: object) => timeOf(builder, dialect))
  return async () => new Date(instantOf((await read.first(ask({})))?.now ?? ''))
}

/** The same, where no storage has been opened yet. */
export async function databaseTime(db: Kysely<unknown>, dialect: Dialect): Promise<Instant> {
  if (dialect.sharedTime) return dialect.sharedTime()
  return instantOf((await timeOf(db, dialect).executeTakeFirstOrThrow()).now)
}
