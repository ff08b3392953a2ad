/** How many things wait to be done at most; those that are not among them are met again. */
const WAITING = 4096

/** For so many milliseconds all are left alone where one failed. */
const REST_AFTER_FAILURE = 60_000

/** What is done beside what goes on. */
export interface Beside<Item> {
  /** Whether nothing is done at the moment, since something failed. */
  rests(): boolean
  /** Has it done once others are; nothing where that of the same key waits already. */
  add(key: string, item: Item): void
}

/**
 * Does one thing after the other, each by `work`: no call waits for it, and none fails with it. Where nothing can be written it is
 * not tried again for a while.
 */
export function beside<Item>(work: (item: Item) => Promise<unknown>): Beside<Item> {
  const waiting = new Map<string, Item>()
  let busy = false
  let restsUntil = 0
  const rests = () => performance.now() < restsUntil

  async function doAll(): Promise<void> {
    busy = true
    try {
      for (const [key, item] of waiting) {
        waiting.delete(key)
        await work(item)
      }
    } catch {
      waiting.clear()
      restsUntil = performance.now() + REST_AFTER_FAILURE
    } finally {
      busy = false
    }
  }

  return {
    rests,
    add(key, item) {
      if (rests() || waiting.size >= WAITING) return
      waiting.set(key, item)
      if (!busy) void doAll()
    },
  }
}
