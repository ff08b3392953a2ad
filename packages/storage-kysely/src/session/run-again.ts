import { setTimeout as sleep } from 'node:timers/promises'
import { CommitUnknownError, DatabaseError } from '../database-error.ts'
import type { Dialect } from '../dialects/dialect.ts'

const MOST_TRIES = 30
/** After so many milliseconds no more than `FEWEST_TRIES` are made: one alone may wait long for a lock or a connection. */
const LONG = 10_000
const FEWEST_TRIES = 3
const LONGEST_PAUSE = 500

/**
 * Runs `attempt`, and again from its start, after a jittered and growing pause, where the engine undid it because of
 * another transaction or could not be reached. Where nobody knows whether it took place, it is run again only if it is
 * `repeatable`: done twice, it is as if done once.
 */
export async function runAgain<Result>(
  dialect: Dialect,
  repeatable: boolean,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const begin = performance.now()
  let unknown: CommitUnknownError | undefined
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      const lost = dialect.isLost(error)
      if (error instanceof CommitUnknownError && repeatable) unknown = error
      else if (!lost && !dialect.isTransient(error)) throw error
      const enough = performance.now() - begin > LONG ? FEWEST_TRIES : MOST_TRIES
      if (tries >= enough) throw unknown ?? (lost ? outOfReach(error) : error)
      await sleep(Math.random() * Math.min(2 ** tries, LONGEST_PAUSE))
    }
  }
}

function outOfReach(error: unknown): DatabaseError {
  const { code, message } = error as { code?: string; message?: string }
  return new DatabaseError(`the database cannot be reached: ${message || code}`, { cause: error })
}
