import type { DeliveryStore, EndpointStore } from '@tillkit/storage'
import { messageOf } from '../error-message.ts'
import type { Logger, WebhookOptions } from '../options.ts'
import { createAttempts } from './attempt.ts'
import { createBell, within } from './bell.ts'
import { createClaims } from './claims.ts'
import type { Resolve } from './dial.ts'
import type { Events } from './events.ts'
import { createFairWindow } from './fair-window.ts'
import { createPoster, DEFAULT_TIMEOUT_SECONDS } from './post.ts'
import { createSend } from './send.ts'
import type { WebhookKeys } from './webhook-keys.ts'
import { createWriteResult } from './write-result.ts'

/** What a worker is made of. */
export interface WebhookWorkerParts {
  deliveries: Pick<DeliveryStore, 'claim' | 'record' | 'release'>
  endpoints: Pick<EndpointStore, 'pause'>
  events: Pick<Events, 'emit'>
  clock: () => Date
  options: WebhookOptions
  keys: Pick<WebhookKeys, 'open'>
  logger: Logger
  /** From 0 to 1; spreads retries. */
  random?: () => number
  /** Finds the addresses of a host name; the system does when left out. */
  resolve?: Resolve
}

/** Delivers webhooks (specification 6). Any number of workers may run on one storage. */
export interface WebhookWorker {
  /** Delivers what is due from now on. Waiting for work keeps no process alive; an attempt in flight does. */
  start(): void
  /** Waits for the attempts in flight and their results, and gives back what was claimed beside them. */
  stop(): Promise<void>
  /** Attempts everything that is due at this moment, and counts. Rejects when the storage fails to hand it out. */
  deliverDue(): Promise<{ delivered: number; failed: number }>
  /** Says that a delivery was committed: a started worker looks at once. */
  wake(): void
}

const POLL_MILLISECONDS = 1000
const LONGEST_BACKOFF_MILLISECONDS = 30_000

/** A worker that is not started yet; `deliverDue` works without. */
export function createWebhookWorker(parts: WebhookWorkerParts): WebhookWorker {
  const { deliveries, clock, options, logger, random = Math.random, resolve } = parts
  const timeoutSeconds = options.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS
  const places = options.concurrency ?? 64
  const bell = createBell()
  const window = createFairWindow(places, bell.ring)
  const poster = createPoster({ options, timeoutSeconds, connections: places, clock, resolve })
  const send = createSend({ ...parts, poster, standardWebhooks: options.standardWebhooks ?? false })
  const writeResult = createWriteResult(parts)
  const attempt = createAttempts({ ...parts, random, send, writeResult, timeoutSeconds })
  // Time to wait for a turn, to make the attempt, and to write its result.
  const leaseSeconds = 3 * timeoutSeconds + 1
  const claims = createClaims({ deliveries, clock, window, attempt, leaseSeconds, limit: 2 * places })
  let wanted = false
  let running: Promise<void> | null = null
  let stopping: Promise<void> | null = null
  let stopped = Promise.withResolvers<void>()

  const run = async () => {
    let failures = 0
    while (!stopping) {
      const rung = bell.next()
      try {
        const more = window.hungry() && (await claims.claim(clock())).full
        failures = 0
        if (!more) await within(POLL_MILLISECONDS, rung)
      } catch (error) {
        logger.error({ error: messageOf(error) }, 'no webhooks claimed')
        const backoff = Math.min(POLL_MILLISECONDS * 2 ** failures++, LONGEST_BACKOFF_MILLISECONDS)
        await within(backoff, stopped.promise)
      }
    }
  }

  const stop = async () => {
    window.close()
    stopped.resolve()
    bell.ring()
    await running
    await claims.settled()
    await claims.giveBack().catch(error => {
      logger.error({ error: messageOf(error) }, 'webhooks not given back')
    })
    await poster.close()
    window.open()
    stopped = Promise.withResolvers()
    stopping = null
    running = wanted ? run() : null
  }

  return {
    start() {
      wanted = true
      if (!stopping) running ??= run()
    },
    stop() {
      wanted = false
      stopping ??= stop()
      return stopping
    },
    async deliverDue() {
      await stopping
      const now = clock()
      const due = new Set(await claims.claimed())
      while (!stopping) {
        const rung = bell.next()
        if (window.hungry()) {
          const { started, full, all } = await claims.claim(now)
          for (const attempt of started) due.add(attempt)
          if (full) continue
          if (all) break
        }
        await rung
      }
      for (const attempt of await claims.claimed()) due.add(attempt)
      const outcomes = await Promise.all(due)
      const delivered = outcomes.filter(outcome => outcome === 'delivered').length
      return { delivered, failed: outcomes.filter(outcome => outcome !== null).length - delivered }
    },
    wake: bell.ring,
  }
}
