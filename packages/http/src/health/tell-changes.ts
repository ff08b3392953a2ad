import type { Logger } from '@tillkit/till'
import type { States } from './looks.ts'

/** Logs what begins to fail, and what is well again: once, however often it is asked for. */
export function tellChanges(
  logger: Pick<Logger, 'warn'>,
  errors: ReadonlyMap<string, unknown>,
): (states: States) => void {
  const failing = new Set<string>()
  return states => {
    for (const [check, { ok, state }] of Object.entries(states)) {
      if (ok === !failing.has(check)) continue
      if (ok) failing.delete(check)
      else failing.add(check)
      const err = ok ? undefined : errors.get(check)
      logger.warn({ check, state, ...(err !== undefined && { err }) }, ok ? 'ready again' : 'not ready')
    }
  }
}
