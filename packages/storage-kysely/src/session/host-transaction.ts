import type { Transaction } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import type { Tables } from '../schema/tables.ts'
import type { Database } from './database.ts'
import { behindSavepoint } from './savepoint.ts'

/**
 * Each write is part of the host's open transaction, behind a savepoint: what fails leaves nothing behind, and the host
 * may go on. Writes take turns, since savepoints of one connection cannot overlap.
 */
export function hostTransaction(trx: Transaction<Tables>, dialect: Dialect): Database['write'] {
  let turn: Promise<unknown> = Promise.resolve()
  return work => {
    const mine = turn.then(() => behindSavepoint(trx, dialect, work))
    turn = mine.catch(() => {})
    return mine
  }
}
