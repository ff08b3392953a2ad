import { forgetStatements } from './array-query.ts'
import type { PgClient } from './pg-pool.ts'

/** What a server says of a session's transaction with each answer: `I` outside of one, `T` within one, `E` within one that failed. */
interface Heard {
  before: string | undefined
  now: string | undefined
}

const sessions = new WeakMap<PgClient, Heard>()

/** Hears from now on whether a session is within a transaction: pg says so from 8.17 on alone, and nobody says what was before. */
export function hearTransactions(client: PgClient): void {
  if (sessions.has(client)) return
  const heard: Heard = { before: undefined, now: undefined }
  sessions.set(client, heard)
  client.connection?.on?.('readyForQuery', ({ status }) => {
    heard.before = heard.now
    heard.now = status
  })
}

/** What was said with the last answer. */
export function statusOf(client: PgClient): string | undefined {
  return sessions.get(client)?.now ?? client.getTransactionStatus?.() ?? undefined
}

/** What was said with the one before that, whoever it was for. */
export function statusBefore(client: PgClient): string | undefined {
  return sessions.get(client)?.before
}

/** What takes from a session all statements that it has prepared, as the server says once it is done. */
const FORGETS = new Set(['DISCARD ALL', 'DEALLOCATE ALL'])

/** Calls `forgotten` each time that somebody has a session forget its prepared statements; its client then prepares them anew. */
export function hearForgotten(client: PgClient, forgotten: () => void): void {
  client.connection?.on?.('commandComplete', ({ text = '' }) => {
    if (!FORGETS.has(text)) return
    forgetStatements(client.connection)
    forgotten()
  })
}
