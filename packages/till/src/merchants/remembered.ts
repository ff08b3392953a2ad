/** Answers of `load` that are kept for a while in this process. */
export interface Remembered<Value> {
  /** What is known of a key without asking; undefined where that is nothing. */
  known(key: string): Value | undefined
  get(key: string): Promise<Value | null>
  /** Drops what is known of a key, or everything, so that what changed in this process shows at once. */
  forget(key?: string): void
}

const MOST = 10_000

/**
 * Keeps what `load` finds for `seconds`, the newest 10,000 answers, and none longer than the seconds for which `lifeOf` says
 * that it is right (null is for good), counted from when it was asked for. Whoever asks while a key is being read waits for that
 * read: thousands at once cost one. A read that fails is not kept, and neither is nothing found, so that what is added
 * shows at once, in other processes too. With 0 seconds nothing is kept and each call reads for itself.
 */
export function remembered<Value extends object>(
  seconds: number,
  load: (key: string) => Promise<Value | null>,
  lifeOf: (value: Value) => number | null = () => null,
): Remembered<Value> {
  if (seconds === 0) return { known: () => undefined, get: load, forget: () => {} }
  const kept = new Map<string, { value: Value; until: number }>()
  const reads = new Map<string, Promise<{ value: Value | null; until: number }>>()

  const keep = (key: string, value: Value, until: number) => {
    kept.delete(key)
    kept.set(key, { value, until: Math.min(until, performance.now() + seconds * 1000) })
    const oldest = kept.size > MOST ? kept.keys().next().value : undefined
    if (oldest !== undefined) kept.delete(oldest)
  }

  const read = (key: string) => {
    const asked = performance.now()
    const reading = load(key).then(
      value => {
        const life = value && lifeOf(value)
        const until = life === null ? Number.POSITIVE_INFINITY : asked + life * 1000
        // What was forgotten while it was being read may be out of date.
        const current = reads.get(key) === reading && reads.delete(key)
        if (current && value !== null) keep(key, value, until)
        return { value, until }
      },
      error => {
        if (reads.get(key) === reading) reads.delete(key)
        throw error
      },
    )
    reads.set(key, reading)
    return reading
  }

  const known = (key: string) => {
    const hit = kept.get(key)
    return hit && hit.until > performance.now() ? hit.value : undefined
  }

  return {
    known,
    async get(key) {
      const hit = known(key)
      if (hit) return hit
      const others = reads.get(key)
      const found = await (others ?? read(key))
      // It may have been right when it was read for others, and not now.
      return others && found.until <= performance.now() ? (await read(key)).value : found.value
    },
    forget(key) {
      for (const answers of [kept, reads]) {
        if (key === undefined) answers.clear()
        else answers.delete(key)
      }
    },
  }
}
