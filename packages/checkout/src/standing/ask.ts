import { setTimeout as sleep } from 'node:timers/promises'
import type { HttpsOption } from '@tillkit/http'
import type { Logger, Payment } from '@tillkit/till'
import { type Answer, readAnswer } from '../payment/outcome.ts'
import type { PaymentProcessor } from '../payment/processor.ts'

/** Asks a processor's `lookup` about a payment: null where it does not tell, is late, throws or is not there. Never rejects. */
export type Ask = (payment: Payment, signal: AbortSignal) => Promise<Answer | null>

/** What `createAsk` takes. */
interface AskOptions {
  /** How long an answer is waited for. */
  timeoutSeconds: number
  https: HttpsOption
  logger: Logger
}

export function createAsk(
  processor: PaymentProcessor,
  { timeoutSeconds, https, logger }: AskOptions,
): Ask | null {
  if (processor.lookup === undefined) return null
  return async (payment, stop) => {
    const { merchantId, id } = payment
    const over = new AbortController()
    const signal = AbortSignal.any([stop, over.signal])
    try {
      const copy = { ...payment, extra: { ...payment.extra } }
      const late = sleep(timeoutSeconds * 1000, null, { signal, ref: false })
      late.catch(() => {}) // nobody waits for it once there is an answer
      return readAnswer(await Promise.race([processor.lookup?.(copy, { signal }), late]), https)
    } catch (error) {
      if (!stop.aborted) logger.warn({ err: error, merchantId, id }, 'lookup did not tell of a charge')
      return null
    } finally {
      over.abort() // also tells a lookup that is late
    }
  }
}
