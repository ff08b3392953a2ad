import { setTimeout as sleep } from 'node:timers/promises'

const LONGEST_PAUSE = 25

/** True when SQLite says that another connection holds the lock: nothing was done, and it may be tried again. */
export function isLocked(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test((error as { code?: string }).code ?? '')
}

/**
 * Tries `step` until the lock is had or `milliseconds` are over. Between tries the event loop goes on: SQLite's own wait
 * for a lock would stop the whole process.
 */
export async function waitForLock<Result>(milliseconds: number, step: () => Result): Promise<Result> {
  const deadline = performance.now() + milliseconds
  for (let pause = 1; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    try {
      return step()
    } catch (error) {
      if (!isLocked(error) || performance.now() > deadline) throw error
      await sleep(pause * (0.5 + Math.random() / 2))
    }
  }
}
