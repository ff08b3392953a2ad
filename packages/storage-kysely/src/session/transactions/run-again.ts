import { setTimeout as sleep } from 'node:timers/promises'
import { CommitUnknownError, DatabaseError } from '@tillkit/storage'
import { CommitUnsynced } from '../../connections/commit-unknown.ts'
import { type Deadline, OutOfTime } from '../../connections/limits/deadline.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { databaseError } from '../../faults/fault-of.ts'
import { type Doubt, ofDoubt } from './doubt.ts'

const MOST_TRIES = 30
/** After so many milliseconds no more than `FEWEST_TRIES` are made: one alone may wait long for a lock or a connection. */
const LONG = 10_000
const FEWEST_TRIES = 3
const LONGEST_PAUSE = 500

export interface Patience {
  /** No pause goes beyond it. */
  deadline?: Deadline
  /**
   * Until when a lock that was not had is waited for again, and other transactions are given way to, by `performance.now()`. Left out
   * of what waits for no merchant's: who runs out of time there is told of the lock.
   */
  lockUntil?: number
  /** True for an error that undid this work because of another transaction, beside those that always do. */
  overtaken?(error: unknown): boolean
  /** Where it is kept that a try may have taken place. */
  doubt?: Doubt | undefined
}

/**
 * Runs `attempt`, and again from its start, after a jittered and growing pause, where the engine undid it because of
 * another transaction or could not be reached. Where nobody knows whether it took place, it is run again only if it is
 * `repeatable`: done twice, it is as if done once.
 */
export async function runAgain<Result>(
  dialect: Dialect,
  repeatable: boolean,
  attempt: () => Promise<Result>,
  { deadline, lockUntil, overtaken, doubt = {} }: Patience = {},
): Promise<Result> {
  const begin = performance.now()
  /** What the database last said was wrong with it. */
  let unwell: unknown
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (error instanceof CommitUnsynced) throw error
      const lost = dialect.isLost(error)
      if (error instanceof CommitUnknownError && repeatable) doubt.unknown = error
      else if (!lost && !dialect.isTransient(error) && !overtaken?.(error)) {
        const told = ofDoubt(doubt, error)
        const isSilent = told instanceof OutOfTime && unwell !== undefined
        throw isSilent ? databaseError(unwell, dialect, OutOfTime) : told
      }
      const isBusy = lockUntil === undefined && dialect.isLockWait(error)
      if (lost || isBusy || dialect.explain(error) !== undefined) unwell = error
      const pause = Math.random() * Math.min(2 ** tries, LONGEST_PAUSE)
      const late = deadline !== undefined && deadline.left <= pause
      const enough =
        lockUntil !== undefined && dialect.isLockWait(error)
          ? performance.now() >= lockUntil
          : isEnough(tries, begin, lost ? undefined : lockUntil)
      if (late || enough) {
        const Kind = late ? OutOfTime : DatabaseError
        throw doubt.unknown ?? (dialect.isLockWait(error) ? error : databaseError(error, dialect, Kind))
      }
      await sleep(pause)
    }
  }
}

function isEnough(tries: number, begin: number, lockUntil = 0): boolean {
  const now = performance.now()
  if (now < lockUntil) return false
  return tries >= (now - begin > LONG ? FEWEST_TRIES : MOST_TRIES)
}
