import { type StatementMessage, statementChannel } from '@tillkit/storage/channels'
import type { CompiledQuery } from 'kysely'
import type { Answer, Execute } from '../connections/connections.ts'
import type { DialectName } from '../dialects/dialect.ts'
import { statementSummary } from './statement-summary.ts'

/** As OpenTelemetry calls them. */
export const SYSTEMS: Record<DialectName, string> = {
  sqlite: 'sqlite',
  postgres: 'postgresql',
  mysql: 'mysql',
}

type Read<Row, Found> = (answer: Awaited<Answer<Row>>) => Found

/**
 * Sends a query, tells of it where somebody listens, and resolves to what `read` finds in the answer. As `tracePromise` of the
 * channel would: but that waits for the answer once more for each, which costs more than all that is told.
 */
export function told<Row, Found>(
  execute: Execute,
  dialect: DialectName,
  query: CompiledQuery<Row>,
  read: Read<Row, Found>,
): Promise<Found> {
  return statementChannel.hasSubscribers
    ? toldToSubscribers(execute, dialect, query, read)
    : execute(query).then(read)
}

async function toldToSubscribers<Row, Found>(
  execute: Execute,
  dialect: DialectName,
  query: CompiledQuery<Row>,
  read: Read<Row, Found>,
): Promise<Found> {
  const message: StatementMessage = { system: SYSTEMS[dialect], name: statementSummary(query.sql) }
  let answer: Awaited<Answer<Row>>
  try {
    answer = await begun(message, execute, query)
  } catch (error) {
    message.error = error
    statementChannel.error.publish(message)
    ended(message)
    throw error
  }
  message.result = answer
  ended(message)
  return read(answer)
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

function begun<Row>(message: StatementMessage, execute: Execute, query: CompiledQuery<Row>) {
  const { start, end } = statementChannel
  try {
    return start.runStores(message, execute<Row>, undefined, query)
  } finally {
    end.publish(message)
  }
}

function ended(message: StatementMessage): void {
  statementChannel.asyncStart.publish(message)
  statementChannel.asyncEnd.publish(message)
}
