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
