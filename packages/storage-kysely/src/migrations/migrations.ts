import type { Kysely } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import { initial } from './0001-initial.ts'
import { endpointsAndAttempts } from './0002-endpoints-and-attempts.ts'
import type { TableSuffix } from './create-table.ts'

/** What a migration is handed: names and column types differ from host to host. */
export interface MigrationContext {
  db: Kysely<unknown>
  dialect: Dialect
  /** What the engine needs to be told at the end of a new table. */
  suffix: TableSuffix
  /** The full name of a table or an index. */
  named(name: string): string
}

/** All migrations, in order. One that has been released never changes. */
export const MIGRATIONS: Record<string, (context: MigrationContext) => Promise<void>> = {
  '0001-initial': initial,
  '0002-endpoints-and-attempts': endpointsAndAttempts,
}
