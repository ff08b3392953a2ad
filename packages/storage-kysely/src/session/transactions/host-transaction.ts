import type { Transaction } from 'kysely'
import type { CheckOnce } from '../../connections/check-once.ts'
import type { Execute } from '../../connections/connections.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import type { Tables } from '../../schema/tables.ts'
import type { Database } from '../database.ts'
import { sessionOf } from '../session.ts'
import { alsoWhereReadOnly } from '../statements/current-read.ts'
import { OpenTransaction } from './open-transaction.ts'
import { behindSavepoint } from './savepoint.ts'

/**
 * Each write is part of the host's open transaction, behind a savepoint: what fails leaves nothing behind, and the host
 * may go on. While it is under way it has the transaction's connection to itself, as kysely gives it to one caller at a
 * time: savepoints of one connection cannot overlap, and what another wrote or read between would be undone with them.
 */
export function hostTransaction(
  trx: Transaction<Tables>,
  dialect: Dialect,
  check: CheckOnce,
): Pick<Database, 'read' | 'write'> {
  let transaction: OpenTransaction | undefined
  const alone = async <Result>(work: (execute: Execute) => Promise<Result>) =>
    trx.getExecutor().provideConnection(async connection => {
      transaction ??= OpenTransaction.on(connection, dialect)
      await check(connection)
      return transaction.during(work)
    })
  return {
    read: sessionOf(query => alone(execute => alsoWhereReadOnly(execute)(query)), dialect),
    write: work => alone(execute => behindSavepoint(execute, dialect, work)),
  }
}
