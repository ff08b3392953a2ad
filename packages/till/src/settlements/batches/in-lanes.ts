/** How many merchants are at work at once: a database is kept busy, and connections are left to others. */
export const LANES = 4

/** Does `work` for each item, a few at a time. Where one fails no more are begun; what it threw is thrown when all have ended. */
export async function inLanes<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const left = items[Symbol.iterator]()
  let failed = false
  const lane = async () => {
    while (!failed) {
      const { done, value } = left.next()
      if (done) return
      await work(value).catch(error => {
        failed = true
        throw error
      })
    }
  }
  const lanes = await Promise.allSettled(Array.from({ length: LANES }, lane))
  for (const ended of lanes) if (ended.status === 'rejected') throw ended.reason
}
