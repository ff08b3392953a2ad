import { type Instant, instant } from '@tillkit/domain'

/** What time it is for all that the till does. */
export interface Clock {
  /** The time, to the millisecond. Costs no read of the storage but now and then. */
  now(): Promise<Date>
  /** The same at once; null where it would have to be asked for. Throws where a host's clock says no time. */
  known(): Date | null
  /** The same, by a read of the storage if it is the storage's time: exact whatever this machine does. */
  asked(): Promise<Date>
  /** What a store is told to date by: null means its own time, which costs nothing at all. */
  given(): Instant | null
  /** Asks the storage no more. */
  stop(): void
}

/** The time that `read` says. */
export function plainClock(read: () => Date): Clock {
  const now = async () => read()
  return { now, known: read, asked: now, given: () => instant(read()), stop: () => {} }
}
