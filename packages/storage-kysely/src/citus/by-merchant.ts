import type { DeliveryKey } from '@tillkit/domain'

/** How many merchants are at work at once: nodes work side by side, and connections are left to others. */
const AT_ONCE = 4

/** The keys of each merchant, in the order in which they came. */
export function byMerchant<Key extends DeliveryKey>(keys: readonly Key[]): Map<string, Key[]> {
  const groups = new Map<string, Key[]>()
  for (const key of keys) {
    const group = groups.get(key.merchantId)
    if (group) group.push(key)
    else groups.set(key.merchantId, [key])
  }
  return groups
}

/**
 * Does `work` for each merchant, a few at a time; one that fails keeps none of the others from it. What the first said that
 * failed is thrown in the end.
 */
export async function forEachMerchant<Key>(
  groups: Iterable<[merchantId: string, keys: Key[]]>,
  work: (merchantId: string, keys: Key[]) => Promise<void>,
): Promise<void> {
  const left = groups[Symbol.iterator]()
  let failed: { error: unknown } | undefined
  const go = async () => {
    for (let next = left.next(); !next.done; next = left.next()) {
      await work(...next.value).catch(error => {
        failed ??= { error }
      })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, go))
  if (failed) throw failed.error
}
