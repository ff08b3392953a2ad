import { CompiledQuery } from 'kysely'
import type { Execute } from '../../connections/connections.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { type Session, sessionOf } from '../session.ts'

const set = CompiledQuery.raw('savepoint tillkit')
const release = CompiledQuery.raw('release savepoint tillkit')
const goBack = CompiledQuery.raw('rollback to savepoint tillkit')

/** MariaDB and MySQL take a savepoint that is set outside of a transaction for done, and have none: going back to it tells. */
export const SET_AND_TOLD = [set, goBack]

const STEPS = {
  postgres: { enter: [set], leave: [release] },
  sqlite: { enter: [set], leave: [release] },
  // There it stays, until the next takes its place, so that a call costs no more.
  mysql: { enter: SET_AND_TOLD, leave: [] },
}

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
  const { enter, leave } = STEPS[dialect.name]
  for (const step of enter) await execute(step)
  try {
    const result = await work(sessionOf(execute, dialect))
    for (const step of leave) await execute(step)
    return result
  } catch (error) {
    // A deadlock, say, ended the whole transaction and the savepoint with it: what it says is the error that counts.
    await execute(goBack).catch(ended)
    throw error
  }
}
