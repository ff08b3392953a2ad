import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, type TestContext, vi } from 'vitest'
import type { DatabaseStorage } from '../../src/index.ts'
import { ALL, merchantId } from '../faults/shop.ts'
import { FOLLOWERS, type Followed } from './followers.ts'

/** An engine whose replica is tried. */
interface Ground {
  name: string
  /** Starts two more servers of it. */
  start(): Promise<Followed>
  /** The servers of the suite, once they run; undefined where they cannot. */
  servers(): Followed | undefined
  /** The same for a test, which is skipped by name where there are none. */
  theServers(context: { skip(note: string): never }): Followed
}

/** A suite over each engine, with a server and its replica. */
export function overFollowers(suite: (ground: Ground) => void): void {
  describe.each(FOLLOWERS)('a replica of %s', (name, start, missing) => {
    let servers: Followed | undefined
    let why: unknown

    beforeAll(async () => {
      if (missing !== undefined) return
      servers = await start().catch(error => {
        why = error
        return undefined
      })
    }, 300_000)

    afterAll(async () => {
      await servers?.replica.remove()
      await servers?.primary.remove()
    })

    const theServers: Ground['theServers'] = context => {
      if (servers) return servers
      if (missing !== undefined) return context.skip(missing)
      if (process.env.CI === 'true') throw why
      return context.skip(`${name} cannot be started here: ${why}`)
    }

    suite({ name, start, theServers, servers: () => servers })
  })
}

export const totalOf = async (storage: DatabaseStorage) =>
  (await storage.payments.list(merchantId, {}, ALL)).total

/** Until the replica has come so far, and is what the storage asks. */
export async function followed(
  { alone: open, reads }: Followed,
  storage: DatabaseStorage,
  total: number,
): Promise<void> {
  const alone = open()
  while ((await totalOf(alone).catch(() => 0)) !== total) await sleep(20)
  await alone.close()
  // Its own reads are counted later: once, so that the second time they are the storage's.
  await sleep(1500)
  for (let times = 0; times < 2; times++) {
    const before = await reads()
    while ((await reads()) === before) {
      await totalOf(storage).catch(() => {})
      await sleep(100)
    }
  }
}

/** Stops the clock that lags are told by until the test is over. Answers what puts it forward by seconds. */
export function stopClock(context: TestContext): (seconds: number) => void {
  let now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  context.onTestFinished(() => void clock.mockRestore())
  return seconds => {
    now += seconds * 1000
  }
}
