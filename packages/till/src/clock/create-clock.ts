import type { Storage } from '@tillkit/storage'
import type { Logger } from '../logging/logger.ts'
import { type Clock, plainClock } from './clock.ts'
import { hostClock } from './host-clock.ts'
import { storageClock } from './storage-clock.ts'

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
