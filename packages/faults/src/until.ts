import { setTimeout as sleep } from 'node:timers/promises'

/** What was waited for did not come: something hangs that must not. */
export class StandsStill extends Error {
  override readonly name = 'StandsStill'
}

/** So long may everything stand still, on a machine as busy as it likes, in milliseconds. */
const PATIENCE = 180_000

/**
 * Waits for a condition. Throws `StandsStill` when `moving` (the condition itself when left out) has said the same for three
 * minutes, and the signal's reason when it aborts.
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string,
  { signal, moving }: { signal?: AbortSignal | undefined; moving?: () => unknown } = {},
): Promise<void> {
  let seen = moving?.()
  let since = Date.now()
  while (!(await condition())) {
    signal?.throwIfAborted()
    const now = moving?.()
    if (now !== seen) [seen, since] = [now, Date.now()]
    if (Date.now() - since > PATIENCE) throw new StandsStill(`waited in vain for ${what}`)
    await sleep(10)
  }
}
