import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import type { Tables } from '../schema/tables.ts'
import type { Database } from './database.ts'
import { sessionOf } from './session.ts'

const MOST_TRIES = 20
const LONGEST_PAUSE = 250

/** Each write is a transaction of its own. */
export function ownTransactions(db: Kysely<Tables>, dialect: Dialect): Database['write'] {
  return work => transact(db, dialect, trx => work(sessionOf(trx)))
}

/**
 * Runs `work` as one transaction, and again from its start, after a jittered and growing pause, where the engine undid it
 * because of another one.
 */
export async function transact<Result>(
  db: Kysely<Tables>,
  dialect: Dialect,
  work: (trx: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (!dialect.isTransient(error) || attempt === MOST_TRIES) throw error
      await sleep(Math.random() * Math.min(2 ** attempt, LONGEST_PAUSE))
    }
  }
}
