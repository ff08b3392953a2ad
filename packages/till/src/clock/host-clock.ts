import type { Logger } from '../logging/logger.ts'
import { ClockError } from './clock-error.ts'
import { validTime } from './valid-time.ts'

/**
 * The option `clock` as the till asks it. While it throws, the machine's time stands in, with a warning once until it
 * works again. An answer that is no valid Date is not believed: whoever asked for the time is refused, `invalid_input`.
 */
export function hostClock(clock: () => Date, logger: Logger): () => Date {
  let failing = false
  return () => {
    let answer: unknown
    try {
      answer = clock()
      failing = false
    } catch (error) {
      if (!failing) logger.warn({ error }, "clock throws: the machine's time is taken")
      failing = true
      return new Date()
    }
    const time = validTime(answer)
    if (time !== null) return new Date(time)
    // A promise is no date, and nobody waits for it: one that rejects ends no process.
    Promise.resolve(answer).catch(() => {})
    throw new ClockError()
  }
}
