import type { WireDate } from '@tillkit/domain'
import type { PendingPayment, PendingPosition, Storage } from '@tillkit/storage'
import { z } from 'zod'

/** How long a payment must have been pending for, in seconds. */
export const olderThanSeconds = z
  .number('must be a number of seconds, 0 or more')
  .min(0, 'must be a number of seconds, 0 or more')
  .max(1e9, 'must be at most 1000000000')

/** How many are held in memory at a time, however many there are. */
const PAGE = 100

/** Each payment that is pending and was started at or before `date`, once, oldest first, whatever happens beside it. */
export async function* pendingUntil(storage: Storage, date: WireDate): AsyncGenerator<PendingPayment> {
  let after: PendingPosition | undefined
  while (true) {
    const page: PendingPayment[] = await storage.payments.pendingSince({ date, after, limit: PAGE })
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    if (after && !isAfter(last, after))
      throw new Error('the storage lists pending payments out of their order')
    after = last
  }
}

function isAfter(a: PendingPosition, b: PendingPosition): boolean {
  if (a.date !== b.date) return a.date > b.date
  return a.merchantId === b.merchantId ? a.id > b.id : a.merchantId > b.merchantId
}

/**
 * Does `work`, which must not throw, for each item, `most` at a time; takes none any more once `signal` says so. Rejects
 * when the items do, after what is under way.
 */
export async function eachAtOnce<Item>(
  items: AsyncGenerator<Item>,
  most: number,
  work: (item: Item) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const lane = async () => {
    while (!signal?.aborted) {
      const { done, value } = await items.next()
      if (done || signal?.aborted) return
      await work(value)
    }
  }
  const lanes = await Promise.allSettled(Array.from({ length: most }, lane))
  await items.return(undefined)
  for (const ended of lanes) if (ended.status === 'rejected') throw ended.reason
}
