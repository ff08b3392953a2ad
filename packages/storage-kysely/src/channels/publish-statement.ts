import { statementChannel } from '@tillkit/storage/channels'
import type { CompiledQuery } from 'kysely'
import type { Execute } from '../connections/connections.ts'
import type { DialectName } from '../dialects/dialect.ts'
import { statementSummary } from './statement-summary.ts'

/** As OpenTelemetry calls them. */
export const SYSTEMS: Record<DialectName, string> = {
  sqlite: 'sqlite',
  postgres: 'postgresql',
  mysql: 'mysql',
}

/** Sends a query, and tells of it where somebody listens. */
export function told<Row>(
  execute: Execute,
  dialect: DialectName,
  query: CompiledQuery<Row>,
): ReturnType<typeof execute<Row>> {
  if (!statementChannel.hasSubscribers) return execute(query)
  const message = { system: SYSTEMS[dialect], name: statementSummary(query.sql) }
  return statementChannel.tracePromise(execute<Row>, message, undefined, query)
}

/** Does what begins or ends a transaction, and tells of it where somebody listens. */
export function toldOf<Result>(
  name: 'BEGIN' | 'COMMIT',
  dialect: DialectName,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!statementChannel.hasSubscribers) return work()
  return statementChannel.tracePromise(work, { system: SYSTEMS[dialect], name })
}
