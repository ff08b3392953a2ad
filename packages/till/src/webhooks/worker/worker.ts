import { instant } from '@tillkit/domain'
import type { DeliveryStore, EndpointStore } from '@tillkit/storage'
import type { Clock } from '../../clock/clock.ts'
import { messageOf } from '../../error-message.ts'
import type { Logger, WebhookOptions } from '../../options.ts'
import type { Events } from '../events.ts'
import type { WebhookKeys } from '../webhook-keys.ts'
import { createFairWindow } from '../window/fair-window.ts'
import type { Resolve } from '../wire/names/address.ts'
import { createPoster, DEFAULT_TIMEOUT_SECONDS } from '../wire/post.ts'
import { createSend } from '../wire/send.ts'
import { createAttempts } from './attempt.ts'
import { createBell } from './bell.ts'
import { type Claim, createClaims, type KeptPlace } from './claims.ts'
import { inTime } from './in-time.ts'
import { createResults } from './results.ts'
import type { Stopped, WorkerStanding } from './standing.ts'

/** What a worker is made of. */
export interface WebhookWorkerParts {
  /** What listeners know the till by: `live` when left out. */
  name?: string
  deliveries: Pick<DeliveryStore, 'claim' | 'record' | 'release' | 'attempts'>
  endpoints: Pick<EndpointStore, 'pause'>
  events: Pick<Events, 'emit'>
  clock: Pick<Clock, 'now' | 'known' | 'asked' | 'given'>
  options: WebhookOptions
  keys: Pick<WebhookKeys, 'open'>
  logger: Logger
  /** From 0 to 1; spreads retries. */
  random?: () => number
  /** Finds the addresses of a host name; the system does when left out. */
  resolve?: Resolve
}

/** Delivers webhooks (API 6). Any number of workers may run on one storage. */
export interface WebhookWorker {
  /** Delivers what is due from now on. Waiting for work keeps no process alive; an attempt in flight does. */
  start(): void
  /** Starts it, keeps the process alive, and resolves when it has stopped; `signal` stops it. */
  run(signal: AbortSignal | undefined): Promise<Stopped>
  /**
   * Waits for the attempts in flight and their results, and gives back what was claimed beside them; for a storage that
   * says nothing it waits no longer than an attempt and `STORAGE_SECONDS`.
   */
  stop(): Promise<Stopped>
  /** The same for good: it is started no more. */
  close(): Promise<Stopped>
  /** How it is at this moment; asks nobody. */
  standing(): WorkerStanding
  /**
   * Attempts what is due at this moment, and counts; what has no turn before its lease is too short for an attempt is left,
   * uncounted, until that ends. Rejects when the storage fails to hand it out.
   */
  deliverDue(): Promise<{ delivered: number; failed: number }>
  /** Says that a delivery was committed: a started worker looks at once. */
  wake(): void
  /**
   * Before an outcome is recorded: keeps a place for its delivery, to be taken when that is committed. Null where the worker
   * is not running or has enough to do: then the delivery is claimed in its turn.
   */
  keepPlace(merchantId: string): KeptPlace | null
}

const POLL_MILLISECONDS = 1000
const PACE_MILLISECONDS = 250
const MOST_PACES = 8
const LONGEST_TIMER_MILLISECONDS = 2 ** 31 - 1
const LONGEST_BACKOFF_MILLISECONDS = 30_000

/**
 * For so long after a claim that failed no other shows that all is well: a store may leave aside for some seconds whose
 * deliveries it could not have, and hand out nothing meanwhile.
 */
const FAILING_MILLISECONDS = 10_000

/** How long a storage may take, past the last attempt, for what a stop asks of it. */
const STORAGE_SECONDS = 10

/** A worker that is not started yet; `deliverDue` works without. */
export function createWebhookWorker(parts: WebhookWorkerParts): WebhookWorker {
  const { deliveries, clock, options, logger, random = Math.random, resolve } = parts
  const timeoutSeconds = options.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS
  const places = options.concurrency ?? 64
  const { now, known } = clock
  const bell = createBell()
  const drained = createBell()
  const stops = createBell()
  const window = createFairWindow(places, bell.ring, drained.ring)
  const poster = createPoster({ options, timeoutSeconds, connections: places, now, resolve })
  const send = createSend({
    ...parts,
    poster,
    standardWebhooks: options.standardWebhooks ?? false,
    vocabulary: options.vocabulary,
    timeoutSeconds,
  })
  const results = createResults({ ...parts, now })
  const attempt = createAttempts({ ...parts, now, random, send, results, timeoutSeconds })
  // Time to wait for a turn, to make the attempt, and to write its result.
  const leaseSeconds = 3 * timeoutSeconds + 1
  const claims = createClaims({
    ...{ deliveries, now, known, window, attempt },
    ...{ timeoutSeconds, leaseSeconds, places },
  })
  let wanted = false
  let closed = false
  let running: Promise<void> | null = null
  let stopping: Promise<Stopped> | null = null
  const runs = new Set<(stopped: Stopped) => void>()
  const ending = new Set<(stopped: Stopped) => void>()
  let still = false
  let [caughtUpAt, idleAt, gotOnAt] = [0, 0, 0]
  const limitSeconds = timeoutSeconds + STORAGE_SECONDS

  /** What a claim hands out when its lease is over nobody may work on any more. */
  const answered = (claim: Promise<Claim>) =>
    inTime(claim, leaseSeconds, () => {
      throw new Error(`the storage has not answered for ${leaseSeconds} s`)
    })

  /** What waits is left some time to get on, before more is claimed only to be put off; none while it stands still. */
  const leaveTime = async () => {
    for (let paces = 0; window.full() && paces < MOST_PACES; paces++) {
      if (still && !window.moved()) return
      await drained.wait(PACE_MILLISECONDS)
      still = !window.moved()
    }
  }

  /** Whether what is under way ends, where more waits for it. */
  const endsInTime = (at: number) => {
    if (!window.waits()) idleAt = at
    return at - Math.max(idleAt, window.endedAt()) < limitSeconds * 1000
  }

  const loop = async () => {
    let failures = 0
    let failedAt = Number.NEGATIVE_INFINITY
    caughtUpAt = idleAt = gotOnAt = performance.now()
    const before = stops.rings()
    while (stops.rings() === before) {
      const rings = bell.rings()
      try {
        // What could not be sent is left to others; and Node tries no module again that has failed halfway through.
        await poster.load()
        await leaveTime()
        const asked = performance.now()
        const claim = window.hungry() ? await answered(claims.claimSoon(clock.given())) : null
        failures = 0
        const isFailing = asked - failedAt < FAILING_MILLISECONDS
        if (claim && !claim.full && !isFailing) caughtUpAt = asked
        if (endsInTime(asked) && (!isFailing || window.endedAt() > failedAt)) gotOnAt = asked
        if (!claim?.full) await bell.wait(POLL_MILLISECONDS, rings)
      } catch (error) {
        failedAt = performance.now()
        logger.error({ error: messageOf(error) }, 'no webhooks claimed')
        const backoff = Math.min(POLL_MILLISECONDS * 2 ** failures++, LONGEST_BACKOFF_MILLISECONDS)
        await stops.wait(backoff, before)
      }
    }
  }

  const stop = async (): Promise<Stopped> => {
    const [began, ran] = [performance.now(), running !== null]
    window.close()
    const inFlight = window.inFlight()
    stops.ring()
    drained.ring()
    bell.ring()
    const ended = await inTime(settled(), limitSeconds, () => {
      const left = { givenBack: 0, givenUp: window.inFlight(), late: true }
      claims.abandon()
      logger.error(
        { givenUp: left.givenUp, limitSeconds },
        'webhooks stopped though the storage had not answered: leases end by themselves',
      )
      return left
    })
    const attempts = Math.max(inFlight - window.inFlight(), 0)
    await poster.close().catch(() => {})
    window.open()
    stopping = null
    running = wanted ? loop() : null
    const milliseconds = Math.round(performance.now() - began)
    const { givenBack, givenUp, late } = ended
    const report = { attempts, givenBack, givenUp, limitSeconds, milliseconds }
    if (ran && !late) logger.info(report, 'webhooks stopped')
    for (const end of ending) end(report)
    ending.clear()
    return report
  }

  const settled = async () => {
    await Promise.all([running, claims.settled()])
    const givenBack = await claims.giveBack().catch(error => {
      logger.error({ error: messageOf(error) }, 'webhooks not given back')
      return 0
    })
    return { givenBack, givenUp: 0, late: false }
  }

  const it: Pick<WebhookWorker, 'start' | 'stop'> = {
    start() {
      if (closed) return
      wanted = true
      if (!stopping) running ??= loop()
    },
    stop() {
      wanted = false
      for (const end of runs) ending.add(end)
      runs.clear()
      stopping ??= stop()
      return stopping
    },
  }

  return {
    ...it,
    close() {
      closed = true
      return it.stop()
    },
    async run(signal) {
      if (closed || signal?.aborted)
        return { attempts: 0, givenBack: 0, givenUp: 0, limitSeconds, milliseconds: 0 }
      const { promise, resolve } = Promise.withResolvers<Stopped>()
      const abort = () => it.stop().then(resolve)
      signal?.addEventListener('abort', abort, { once: true })
      const alive = setInterval(() => {}, LONGEST_TIMER_MILLISECONDS)
      runs.add(resolve)
      it.start()
      const report = await promise
      clearInterval(alive)
      signal?.removeEventListener('abort', abort)
      return report
    },
    async deliverDue() {
      await stopping
      // What is due again since is for the next time.
      const at = instant(await clock.asked())
      const due = new Set(await claims.claimed())
      while (!stopping) {
        const rings = bell.rings()
        if (window.hungry() && !window.full()) {
          const { started, full, all } = await answered(claims.claim(at))
          for (const attempt of started) due.add(attempt)
          if (full) continue
          if (all) break
        }
        await bell.wait(POLL_MILLISECONDS, rings)
      }
      for (const attempt of await claims.claimed()) due.add(attempt)
      const outcomes = await Promise.all(due)
      const delivered = outcomes.filter(outcome => outcome?.startsWith('delivered')).length
      return { delivered, failed: outcomes.filter(outcome => outcome !== null).length - delivered }
    },
    standing() {
      const state = stopping ? 'stopping' : running ? 'running' : 'off'
      const secondsSince = (time: number) => (running ? (performance.now() - time) / 1000 : 0)
      return { state, secondsBehind: secondsSince(caughtUpAt), secondsStill: secondsSince(gotOnAt) }
    },
    wake: bell.ring,
    keepPlace: merchantId => (running ? claims.keepPlace(merchantId) : null),
  }
}
