import type { PgClient } from '../pools/pg-pool.ts'
import { forgetStatements } from '../wire/array-query.ts'

/**
 * What is heard of a session. `I` is outside of a transaction, `T` within one, `E` within one that failed, as the server says with
 * each answer.
 */
interface Heard {
  before: string | undefined
  now: string | undefined
  /** How often somebody changed it: a setting by which statements mean something else, or all statements forgotten. */
  changes: number
}

/** Settings that a server tells of when they change (the second from PostgreSQL 18 on), and that change what is said. */
const MEANING = new Set(['client_encoding', 'search_path'])

const sessions = new WeakMap<PgClient, Heard>()

/** What takes from a session all statements that it has prepared, as the server says once it is done. */
const FORGETS = new Set(['DISCARD ALL', 'DEALLOCATE ALL'])

/**
 * Hears from now on how a session stands, once however many storages are over its pool. Of transactions pg says so from 8.17 on
 * alone, and nobody says what was before.
 */
export function hearSession(client: PgClient): void {
  if (sessions.has(client)) return
  const heard: Heard = { before: undefined, now: undefined, changes: 0 }
  sessions.set(client, heard)
  const { connection } = client
  connection?.on?.('readyForQuery', ({ status }) => {
    heard.before = heard.now
    heard.now = status
  })
  connection?.on?.('parameterStatus', ({ parameterName = '' }) => {
    if (MEANING.has(parameterName)) heard.changes += 1
  })
  connection?.on?.('commandComplete', ({ text = '' }) => {
    if (!FORGETS.has(text)) return
    forgetStatements(connection)
    heard.changes += 1
  })
}

/** How often a session was changed so far, so that it has to be prepared again. */
export const changesOf = (client: PgClient): number => sessions.get(client)?.changes ?? 0

/** What was said with the last answer. */
export function statusOf(client: PgClient): string | undefined {
  return sessions.get(client)?.now ?? client.getTransactionStatus?.() ?? undefined
}

/** What was said with the one before that, whoever it was for. */
export function statusBefore(client: PgClient): string | undefined {
  return sessions.get(client)?.before
}
