/** Tells whoever waits that something has changed. */
export interface Bell {
  ring(): void
  /** Resolves at the next ring. Taken before a look at what may change, it misses no change after that look. */
  next(): Promise<void>
}

/** A bell that nobody has rung yet. */
export function createBell(): Bell {
  let coming = Promise.withResolvers<void>()
  return {
    ring() {
      const rung = coming
      coming = Promise.withResolvers()
      rung.resolve()
    },
    next: () => coming.promise,
  }
}

/** Waits for `event`, but no longer than `milliseconds`. The wait alone keeps no process alive. */
export async function within(milliseconds: number, event: Promise<void>): Promise<void> {
  const time = Promise.withResolvers<void>()
  const timer = setTimeout(time.resolve, milliseconds).unref()
  await Promise.race([event, time.promise])
  clearTimeout(timer)
}
