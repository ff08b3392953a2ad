import type { PaymentKey } from '@tillkit/domain'
import type { Logger } from '../logging/logger.ts'

const MOST_LINES = 20

/** Says what went wrong in a run over many payments: the first ones line by line, the rest as a number. */
export interface Failures {
  add(level: 'warn' | 'error', key: PaymentKey, message: string, fields?: object): void
  /** To be called once, at the end of the run. */
  sumUp(): void
}

export function createFailures(logger: Logger, run: string): Failures {
  let count = 0
  return {
    add(level, { merchantId, id }, message, fields) {
      count += 1
      if (count <= MOST_LINES) logger[level]({ merchantId, paymentId: id, ...fields }, message)
    },
    sumUp() {
      if (count > MOST_LINES) logger.error({ failures: count }, `${run} failed for more than are logged`)
    },
  }
}
