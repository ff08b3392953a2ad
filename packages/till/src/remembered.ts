/** Answers of `load` that are kept for a while in this process. */
export interface Remembered<Value> {
  get(key: string): Promise<Value | null>
  /** Drops everything, so that what changed in this process shows at once. */
  forget(): void
}

const MOST = 10_000

/**
 * Keeps what `load` finds for `seconds`; 0 keeps nothing. Nothing found is not kept, so that what is added shows at once.
 * At most 10,000 answers are kept, the newest.
 */
export function remembered<Value extends object>(
  seconds: number,
  load: (key: string) => Promise<Value | null>,
): Remembered<Value> {
  const kept = new Map<string, { value: Value; until: number }>()
  let generation = 0

  return {
    async get(key) {
      const hit = kept.get(key)
      if (hit && hit.until > performance.now()) return hit.value
      const asked = generation
      const value = await load(key)
      // What was forgotten while it was being read may be out of date.
      if (value !== null && seconds > 0 && asked === generation) {
        kept.delete(key)
        kept.set(key, { value, until: performance.now() + seconds * 1000 })
        const oldest = kept.size > MOST ? kept.keys().next().value : undefined
        if (oldest !== undefined) kept.delete(oldest)
      }
      return value
    },
    forget() {
      generation++
      kept.clear()
    },
  }
}
