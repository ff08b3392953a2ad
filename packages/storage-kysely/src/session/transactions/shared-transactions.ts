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
  /** Its time was over while it waited. */
  over: boolean
  /** By when it has to begin, while it waits; none where it may wait without end. */
  deadline: Deadline | undefined
  answer: Promise<unknown>
  resolve: (result: never) => void
  reject: (error: unknown) => void
}

/**
 * Writes that wait for their turn at the same moment go into one transaction, each behind a savepoint of its own: what
 * one of them throws undoes it alone, and none is answered before all are committed. On an engine with one writer at a
 * time this costs nobody a wait, and the disk is synced once for all. Where another process holds the lock for too long, those go on waiting
 * who came later.
 *
 * @param seconds - how long a write may wait until it begins; `Infinity` where its connection sees to that.
 */
export function sharedTransactions(
  connections: Pick<Connections, 'transact'>,
  dialect: Dialect,
  seconds: number,
): Database['write'] {
  const waiting: Write[] = []
  let running = false

  /** Has it leave when its time is over, unless it begins before. */
  function limit(write: Write): void {
    if (seconds === Number.POSITIVE_INFINITY) return
    write.deadline?.cancel()
    write.deadline = new Deadline(seconds, { since: write.since })
    const leave = () => {
      write.over = true
      const place = waiting.indexOf(write)
      if (place !== -1) waiting.splice(place, 1)
    }
    write.deadline.within(write.answer, leave).catch(write.reject)
  }

  /** What has begun is finished, and told as it is. */
  function begin(writes: Write[]): Write[] {
    const begun = writes.filter(({ over }) => !over)
    for (const { deadline } of begun) deadline?.cancel()
    return begun
  }

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
      const attempt = () =>
        connections
          .transact(NO_DEADLINE, execute => perform(execute, dialect, begin(writes)), { since })
          .catch(error => {
            // Undone, it waits again.
            for (const write of writes) if (!write.over) limit(write)
            throw error
          })
      const done = () => runAgain(dialect, false, attempt)
      const answers = await (resume ? resume(done) : done())
      for (const answer of answers) answer()
    } catch (error) {
      const later = error instanceof StillLocked ? writes.filter(({ since }) => !error.isOver(since)) : []
      waiting.unshift(...later)
      for (const write of writes) {
        if (later.includes(write)) continue
        write.deadline?.cancel()
        write.reject(error)
      }
    }
  }

  return work => {
    const { promise: answer, resolve, reject } = Promise.withResolvers<never>()
    const [since, resume] = [performance.now(), contextOfCaller()]
    const write: Write = { work, since, resume, over: false, deadline: undefined, answer, resolve, reject }
    limit(write)
    waiting.push(write)
    if (!running) void drain()
    return answer
  }
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
