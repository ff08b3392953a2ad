import type { Storage } from '@tillkit/storage'
import { MIGRATIONS } from '../migrations/migrations.ts'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/statements/prepared.ts'

/** Counts what was noted of the migrations that this version knows: those of a later one are no matter. */
export function readMigrated({ builder, read, dialect }: Database): NonNullable<Storage['migrated']> {
  const names = Object.keys(MIGRATIONS)
  const count = prepare((_: object) =>
    builder
      .selectFrom('migrations')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .where('name', 'in', names),
  )
  return async () => {
    try {
      return Number((await read.first(count({})))?.total) === names.length
    } catch (error) {
      if (dialect.isMissingTable(error)) return false
      throw error
    }
  }
}
