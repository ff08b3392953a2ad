import { CompiledQuery } from 'kysely'
import type { Execute } from '../connections/connections.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { type Session, sessionOf } from './session.ts'

const begin = CompiledQuery.raw('savepoint tillkit')
const release = CompiledQuery.raw('release savepoint tillkit')
const rollback = CompiledQuery.raw('rollback to savepoint tillkit')

/**
 * Runs `work` within an open transaction so that, when it throws, nothing of it is left and the transaction goes on; where
 * the engine ended the transaction itself, `ended` is called before the error is thrown.
 */
export async function behindSavepoint<Result>(
  execute: Execute,
  dialect: Dialect,
  work: (session: Session) => Promise<Result>,
  ended: () => void = () => {},
): Promise<Result> {
  await execute(begin)
  try {
    const result = await work(sessionOf(execute, dialect))
    await execute(release)
    return result
  } catch (error) {
    // A deadlock, say, ended the whole transaction and the savepoint with it: what it says is the error that counts.
    await execute(rollback).catch(ended)
    throw error
  }
}
