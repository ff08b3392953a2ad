import { setImmediate } from 'node:timers/promises'
import { contextOfCaller, type Resume } from '../../channels/in-context.ts'
import type { Connections, Execute } from '../../connections/connections.ts'
import { Deadline } from '../../connections/limits/deadline.ts'
import { StillLocked } from '../../connections/still-locked.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import type { Database } from '../database.ts'
import { type Session, sessionOf } from '../session.ts'
import { runAgain } from './run-again.ts'
import { behindSavepoint } from './savepoint.ts'

/** How many writes share a transaction at most: enough that syncing it to the disk weighs little on each. */
const MOST = 100

/** How long the writer's lock is waited for is its connection's own matter. */
const NO_DEADLINE = new Deadline(Number.POSITIVE_INFINITY)

interface Write {
  /** When it was asked for, by `performance.now()`. */
  since: number
  work: (session: Session) => Promise<unknown>
  resume: Resume
  resolve: (result: never) => void
  reject: (error: unknown) => void
}

/**
 * Writes that wait for their turn at the same moment go into one transaction, each behind a savepoint of its own: what
 * one of them throws undoes it alone, and none is answered before all are committed. On an engine with one writer at a
 * time this costs nobody a wait, and the disk is synced once for all. Where another process holds the lock for too long, those go on waiting
 * who came later.
 */
export function sharedTransactions(
  connections: Pick<Connections, 'transact'>,
  dialect: Dialect,
): Database['write'] {
  const waiting: Write[] = []
  let running = false

  async function drain(): Promise<void> {
    running = true
    // Of the requests that are there already the server's loop hands over one at a time.
    await setImmediate()
    while (waiting.length > 0) await commit(waiting.splice(0, MOST))
    running = false
  }

  async function commit(writes: Write[]): Promise<void> {
    const since = writes[0]?.since
    try {
      // What begins and ends it is told of as a part of the first.
      const resume = writes[0]?.resume ?? null
      const done = () =>
        runAgain(dialect, false, () =>
          connections.transact(NO_DEADLINE, execute => perform(execute, dialect, writes), { since }),
        )
      const answers = await (resume ? resume(done) : done())
      for (const answer of answers) answer()
    } catch (error) {
      const later = error instanceof StillLocked ? writes.filter(({ since }) => !error.isOver(since)) : []
      waiting.unshift(...later)
      for (const write of writes) if (!later.includes(write)) write.reject(error)
    }
  }

  return work =>
    new Promise((resolve, reject) => {
      waiting.push({ work, since: performance.now(), resume: contextOfCaller(), resolve, reject })
      if (!running) void drain()
    })
}

/** Does the writes in turn and returns how to answer each once they are committed. */
async function perform(execute: Execute, dialect: Dialect, writes: Write[]): Promise<(() => void)[]> {
  const [only] = writes
  if (only && writes.length === 1) {
    const result = await only.work(sessionOf(execute, dialect))
    return [() => only.resolve(result as never)]
  }
  const answers: (() => void)[] = []
  for (const { work, resume, resolve, reject } of writes) {
    // A full disk, say, undoes all of the transaction, those writes too that came before.
    let ended = false
    try {
      const written = () =>
        behindSavepoint(execute, dialect, work, () => {
          ended = true
        })
      const result = await (resume ? resume(written) : written())
      answers.push(() => resolve(result as never))
    } catch (error) {
      if (ended || dialect.isTransient(error)) throw error
      answers.push(() => reject(error))
    }
  }
  return answers
}
