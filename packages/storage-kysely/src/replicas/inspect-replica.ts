import { setTimeout as sleep } from 'node:timers/promises'
import { type Finding, findingsOf } from '@tillkit/domain'
import type { Followed } from './lag.ts'

/** How long an inspection waits for a replica to come up, at most, and how long between two looks at it. */
const [MOST_SECONDS, BETWEEN_MILLISECONDS] = [5, 50]

/** Whether a replica is of use: one that cannot be reached, or is too far behind, is left alone without a word. */
export async function inspectReplica(followed: Followed, maxLagSeconds: number): Promise<Finding> {
  const { ok, warning } = findingsOf('replica')
  const seconds = Math.min(maxLagSeconds, MOST_SECONDS)
  const place = await followed.place()
  const until = performance.now() + seconds * 1000
  try {
    while (!(await followed.hasReached(place))) {
      if (performance.now() > until) {
        const says = `The replica has not come within ${seconds} s to where the server that takes writes was.`
        return warning(
          says,
          'See what holds it up: it is not asked while it is further behind than it may be.',
        )
      }
      await sleep(BETWEEN_MILLISECONDS)
    }
  } catch (error) {
    const says = `The replica is not asked: ${error instanceof Error ? error.message : error}.`
    return warning(says, 'See that it runs, follows the server that takes writes and lets the role in.')
  }
  return ok(`The replica follows, no further than ${seconds} s behind.`)
}
