import type { Kysely } from 'kysely'
import { CommitUnknownError } from '../database-error.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { Tables } from '../schema/tables.ts'
import type { Connections } from './connections.ts'
import type { Database } from './database.ts'
import { runAgain } from './run-again.ts'
import { type Session, sessionOf } from './session.ts'

type Work<Result> = (session: Session) => Promise<Result>

/** Each write is a transaction of its own; one of a single statement needs neither begin nor commit around it. */
export function ownTransactions(
  db: Kysely<Tables>,
  connections: Connections,
  dialect: Dialect,
): Database['write'] {
  return (work, { statement = false, repeatable = false } = {}) =>
    runAgain(dialect, repeatable, () =>
      statement ? asStatement(connections, dialect, work) : asTransaction(db, dialect, work),
    )
}

async function asStatement<Result>(
  connections: Connections,
  dialect: Dialect,
  work: Work<Result>,
): Promise<Result> {
  let sent = false
  try {
    return await connections.hold(execute => {
      sent = true
      return work(sessionOf(execute, dialect))
    })
  } catch (error) {
    throw sent && dialect.isLost(error) ? new CommitUnknownError(error) : error
  }
}

async function asTransaction<Result>(
  db: Kysely<Tables>,
  dialect: Dialect,
  work: Work<Result>,
): Promise<Result> {
  let committing = false
  try {
    const transaction = db.transaction()
    return await (dialect.isolation ? transaction.setIsolationLevel(dialect.isolation) : transaction).execute(
      async trx => {
        const result = await work(sessionOf(query => trx.executeQuery(query), dialect))
        committing = true
        return result
      },
    )
  } catch (error) {
    throw committing && dialect.isLost(error) ? new CommitUnknownError(error) : error
  }
}
