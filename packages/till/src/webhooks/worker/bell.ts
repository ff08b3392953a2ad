/** Tells whoever waits that something has changed. */
export interface Bell {
  ring(): void
  /** How often it was rung. Taken before a look at what may change, `wait` misses no change after that look. */
  rings(): number
  /**
   * Waits until it has been rung more often than `rings`, than now where that is left out, but no longer than `milliseconds`. The
   * wait alone keeps no process alive, and nothing of it stays when it is over: a bell may never be rung.
   */
  wait(milliseconds: number, rings?: number): Promise<void>
}

/** A bell that nobody has rung yet. */
export function createBell(): Bell {
  let count = 0
  const waiting = new Set<() => void>()
  return {
    ring() {
      count++
      for (const end of waiting) end()
    },
    rings: () => count,
    async wait(milliseconds, rings = count) {
      if (count > rings) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, milliseconds).unref()
      waiting.add(resolve)
      await promise
      clearTimeout(timer)
      waiting.delete(resolve)
    },
  }
}
