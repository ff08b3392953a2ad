import type { Storage } from '@tillkit/storage'
import { instantOf } from '../schema/dates.ts'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/statements/prepared.ts'

/** The time that the processes of one database share. */
export function readTime({ builder, read, dialect }: Database): NonNullable<Storage['time']> {
  const { sharedTime } = dialect
  if (sharedTime) return async () => new Date(sharedTime())
  const ask = prepare((_: object) => builder.selectNoFrom(dialect.timeOf(dialect.orNow(null)).as('now')))
  return async () => new Date(instantOf((await read.first(ask({})))?.now ?? ''))
}
