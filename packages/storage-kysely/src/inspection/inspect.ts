import { type Finding, findingsOf } from '@tillkit/domain'
import type { Storage } from '@tillkit/storage'
import type { Dialect } from '../dialects/dialect.ts'
import { databaseError } from '../faults/fault-of.ts'
import type { Database, Whole } from '../session/database.ts'
import { inspectCounts } from './counts.ts'
import { ledgerFindings } from './ledger-findings.ts'
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
    const counted = await inspectCounts(looking, request).catch(error => notCounted(error, dialect))
    if ('level' in counted) return { ...engine, findings: [...findings, ...ofSchema, counted], counts: null }
    const ofLedgers = await lookAt('ledgers', looking, () => ledgerFindings(looking))
    return { ...engine, findings: [...findings, ...ofSchema, ...ofLedgers], counts: counted }
  }
}

/** That there are no tables yet is said of the migrations; what else keeps rows from being read keeps a host from its work. */
function notCounted(error: unknown, dialect: Dialect): Finding {
  const { note, problem } = findingsOf('counts')
  if (dialect.isMissingTable(error)) return note('The rows could not be counted.')
  const { message } = databaseError(error, dialect)
  return problem(
    `The rows could not be counted: ${message}.`,
    'A host reads and writes all of Tillkit’s tables: see that it can.',
  )
}
