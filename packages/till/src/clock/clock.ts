import { type Instant, instant } from '@tillkit/domain'
import type { Storage } from '@tillkit/storage'
import type { Logger } from '../logging/logger.ts'
import { hostClock } from './host-clock.ts'
import { storageClock } from './storage-clock.ts'

/** What time it is for all that the till does. */
export interface Clock {
  /** The time, to the millisecond. Costs no read of the storage but now and then. */
  now(): Promise<Date>
  /** The same, by a read of the storage if it is the storage's time: exact whatever this machine does. */
  asked(): Promise<Date>
  /** What a store is told to date by: null means its own time, which costs nothing at all. */
  given(): Instant | null
  /** Asks the storage no more. */
  stop(): void
}

/**
 * A host's own clock is believed. Without one the storage's counts, which all processes on it share; where it has none,
 * this machine's.
 */
export function createClock(storage: Storage, host: (() => Date) | undefined, logger: Logger): Clock {
  if (host) return plainClock(hostClock(host, logger))
  const { time } = storage
  if (!time) return plainClock(() => new Date())
  return storageClock(() => time.call(storage), { logger, mayAsk: !storage.inTransaction })
}

/** The time that `read` says. */
export function plainClock(read: () => Date): Clock {
  const now = async () => read()
  return { now, asked: now, given: () => instant(read()), stop: () => {} }
}
