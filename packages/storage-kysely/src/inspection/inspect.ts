import { findingsOf } from '@tillkit/domain'
import type { Storage } from '@tillkit/storage'
import type { Database, Whole } from '../session/database.ts'
import { inspectCounts } from './counts.ts'
import { type Looking, lookAt } from './looking.ts'
import { inspectMysql } from './mysql/inspect-mysql.ts'
import { inspectPostgres } from './postgres/inspect-postgres.ts'
import { inspectSchema } from './schema/inspect-schema.ts'
import { inspectSqlite } from './sqlite/inspect-sqlite.ts'

const ENGINES = { sqlite: inspectSqlite, postgres: inspectPostgres, mysql: inspectMysql }

/** One thing after the other, so that a database that is busy is not made busier. */
export function inspectDatabase({ dialect, write }: Database, whole: Whole): NonNullable<Storage['inspect']> {
  return async ({ longTransactionSeconds, ...request }) => {
    const looking: Looking = { ...whole, dialect, write, longTransactionSeconds }
    const { findings, ...engine } = await ENGINES[dialect.name](looking)
    const ofSchema = await lookAt('migrations', looking, () => inspectSchema(looking))
    const counted = await inspectCounts(looking, request).catch(() => null)
    const uncounted = counted === null ? [findingsOf('counts').note('The rows could not be counted.')] : []
    return { ...engine, findings: [...findings, ...ofSchema, ...uncounted], counts: counted }
  }
}
