import { CompiledQuery, type Transaction } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import type { Tables } from '../schema/tables.ts'
import { type Session, sessionOf } from './session.ts'

const begin = CompiledQuery.raw('savepoint tillkit')
const release = CompiledQuery.raw('release savepoint tillkit')
const rollback = CompiledQuery.raw('rollback to savepoint tillkit')

/** Runs `work` within an open transaction so that, when it throws, nothing of it is left and the transaction goes on. */
export async function behindSavepoint<Result>(
  trx: Transaction<Tables>,
  dialect: Dialect,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  await trx.executeQuery(begin)
  try {
    const result = await work(sessionOf(query => trx.executeQuery(query), dialect))
    await trx.executeQuery(release)
    return result
  } catch (error) {
    // A deadlock, say, ended the whole transaction and the savepoint with it: what it says is the error that counts.
    await trx.executeQuery(rollback).catch(() => {})
    throw error
  }
}
