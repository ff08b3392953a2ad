import { type Kysely, sql } from 'kysely'
import { type MigrationResultSet, Migrator } from 'kysely/migration'
import { DatabaseError } from '../database-error.ts'
import { type DialectName, dialectOf } from '../dialects/index.ts'
import { DEFAULT_TABLE_PREFIX, type KyselyStorageOptions } from '../kysely-storage.ts'
import { MIGRATIONS } from './migrations.ts'

/**
 * Creates Tillkit's tables or brings them up to date; safe to call from several processes at once, and at every start.
 * Throws `DatabaseError` for a database that a newer version has been at.
 */
export function migrate<HostTables>(
  db: Kysely<HostTables>,
  dialect: DialectName,
  options: KyselyStorageOptions = {},
): Promise<void> {
  return run(db, dialect, options, migrator => migrator.migrateToLatest())
}

/** The same, no further than the migration called `name`. */
export function migrateTo<HostTables>(
  db: Kysely<HostTables>,
  dialect: DialectName,
  options: KyselyStorageOptions,
  name: string,
): Promise<void> {
  return run(db, dialect, options, migrator => migrator.migrateTo(name))
}

async function run<HostTables>(
  db: Kysely<HostTables>,
  dialectName: DialectName,
  options: KyselyStorageOptions,
  work: (migrator: Migrator) => Promise<MigrationResultSet>,
): Promise<void> {
  const dialect = dialectOf(dialectName)
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
  const { error } = await work(migrator)
  if (!error) return
  await refuseNewer(plain, named('migrations'))
  throw error
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
