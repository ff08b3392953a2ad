import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { DatabaseError } from '../database-error.ts'
import type { Dialect, DialectName } from '../dialects/dialect.ts'
import { DIALECTS } from '../dialects/index.ts'
import { DEFAULT_TABLE_PREFIX, type KyselyStorageOptions } from '../kysely-storage.ts'
import { initial } from './0001-initial.ts'

/** What a migration is handed: names and column types differ from host to host. */
export interface MigrationContext {
  db: Kysely<unknown>
  dialect: Dialect
  /** The full name of a table or an index. */
  named(name: string): string
}

/** All migrations, in order. One that has been released never changes. */
const MIGRATIONS: Record<string, (context: MigrationContext) => Promise<void>> = {
  '0001-initial': initial,
}

/**
 * Creates Tillkit's tables or brings them up to date; safe to call from several processes at once, and at every start.
 * Throws `DatabaseError` for a database that a newer version has been at.
 */
export async function migrate<HostTables>(
  db: Kysely<HostTables>,
  dialectName: DialectName,
  options: KyselyStorageOptions = {},
): Promise<void> {
  const dialect = DIALECTS[dialectName]
  const named = (name: string) => `${options.tablePrefix ?? DEFAULT_TABLE_PREFIX}${name}`
  const plain = db.withoutPlugins() as Kysely<unknown>
  await refuseNewer(plain, named('migrations'))
  const migrator = new Migrator({
    db: plain,
    migrationTableName: named('migrations'),
    migrationLockTableName: named('migrations_lock'),
    provider: {
      getMigrations: async () =>
        Object.fromEntries(
          Object.entries(MIGRATIONS).map(([name, up]) => [
            name,
            { up: (trx: Kysely<unknown>) => up({ db: trx, dialect, named }) },
          ]),
        ),
    },
  })
  const { error } = await migrator.migrateToLatest()
  if (error) {
    await refuseNewer(plain, named('migrations'))
    throw error
  }
}

async function refuseNewer(db: Kysely<unknown>, table: string): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === table)) return
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(table)} order by name`.execute(db)
  const unknown = rows.find(({ name }) => !Object.hasOwn(MIGRATIONS, name))
  if (unknown) {
    throw new DatabaseError(
      `the database was written by a newer version of Tillkit (migration ${unknown.name})`,
    )
  }
}
