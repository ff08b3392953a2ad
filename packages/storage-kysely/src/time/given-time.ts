import type { Instant } from '@tillkit/domain'
import type { Dialect } from '../dialects/dialect.ts'

/** What a statement takes for `orNow`: null where the engine is to put its own time. */
export function givenTime({ time, sharedTime }: Dialect, now: Instant | null): string | null {
  const given = now ?? sharedTime?.() ?? null
  return given && time(given)
}
