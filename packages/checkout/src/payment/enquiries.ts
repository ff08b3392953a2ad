import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger, Payment } from '@tillkit/till'
import { isKnown, readAnswer } from './outcome.ts'
import type { KnownOutcome, PaymentProcessor } from './processor.ts'

/** Asks a processor what became of charges that it gave no answer to. */
export interface Enquiries {
  /** Asks until there is an outcome or the last time was in vain: then `till.payments.reconcile` is left. */
  begin(payment: Payment): void
  /** The answer came after all. */
  end(payment: Payment): void
  close(): void
}

/** Seconds before each question: the first while the customer looks at the page, the last when a processor may be back. */
const PAUSES = [1, 5, 30, 300]

/** A processor that is down leaves one for each press: the rest is `reconcile`'s. */
const MOST = 1_000

export function createEnquiries(
  processor: PaymentProcessor,
  record: (payment: Payment, outcome: KnownOutcome) => Promise<unknown>,
  { timeoutSeconds, logger }: { timeoutSeconds: number; logger: Logger },
): Enquiries {
  const open = new Map<string, AbortController>()

  async function enquire(payment: Payment, signal: AbortSignal): Promise<void> {
    for (const pause of PAUSES) {
      await sleep(pause * 1000, undefined, { signal, ref: false })
      const outcome = await ask(payment, signal)
      if (outcome && !signal.aborted) return void (await record(payment, outcome))
    }
  }

  async function ask(payment: Payment, signal: AbortSignal): Promise<KnownOutcome | null> {
    const { merchantId, id } = payment
    try {
      const copy = { ...payment, extra: { ...payment.extra } }
      const answer = await Promise.race([
        processor.lookup?.(copy, { signal }),
        sleep(timeoutSeconds * 1000, null, { signal, ref: false }),
      ])
      const read = readAnswer(answer)
      return isKnown(read) ? read : null
    } catch (error) {
      if (!signal.aborted) logger.warn({ err: error, merchantId, id }, 'lookup did not tell of a charge')
      return null
    }
  }

  return {
    begin(payment) {
      if (processor.lookup === undefined || open.size >= MOST || open.has(nameOf(payment))) return
      const stop = new AbortController()
      open.set(nameOf(payment), stop)
      void enquire(payment, stop.signal)
        .catch(() => {}) // ended: nobody waits for it
        .finally(() => open.delete(nameOf(payment)))
    },
    end: payment => open.get(nameOf(payment))?.abort(),
    close() {
      for (const stop of open.values()) stop.abort()
    },
  }
}

function nameOf({ merchantId, id }: Payment): string {
  return `${merchantId} ${id}`
}
