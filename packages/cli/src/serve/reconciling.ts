import { setTimeout as sleep } from 'node:timers/promises'
import type { Lookup, Till } from '@tillkit/till'

const EVERY = 60_000

/**
 * Asks the processor, every minute until the signal, about payments that have been pending for longer than so many seconds.
 * What is returned ends it too, and waits for the lookups under way.
 */
export function startReconciling(
  till: Till,
  lookup: Lookup | undefined,
  olderThanSeconds: number,
  signal: AbortSignal,
): () => Promise<void> {
  if (lookup === undefined) return async () => {}
  const over = new AbortController()
  const asking = reconciling(till, lookup, olderThanSeconds, AbortSignal.any([signal, over.signal]))
  return () => {
    over.abort()
    return asking
  }
}

async function reconciling(
  till: Till,
  lookup: Lookup,
  olderThanSeconds: number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const found = await till.payments.reconcile(lookup, { olderThanSeconds, signal })
      if (Object.values(found).some(count => count > 0)) till.logger.info(found, 'asked the processor')
    } catch (error) {
      till.logger.error({ error }, 'the processor could not be asked about pending payments')
    }
    await sleep(EVERY, undefined, { signal }).catch(() => {})
  }
}
