import type { Kysely, RawBuilder } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'

export type TableSuffix = RawBuilder<unknown> | null

/** What a migration is handed: names and column types differ from host to host. */
export interface MigrationContext {
  db: Kysely<unknown>
  dialect: Dialect
  /** What the engine needs to be told at the end of a new table. */
  suffix: TableSuffix
  /** Where the tables are, as statements have to say that kysely does not write. */
  schema?: string | undefined
  /** In how many partitions tables that grow with payments are made; none where it is left out or 0. */
  partitions?: number
  /** The full name of a table or an index. */
  named(name: string): string
}
