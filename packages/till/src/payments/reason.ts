import { keptFailure, type PaymentKey } from '@tillkit/domain'
import type { Logger } from '../logging/logger.ts'

/**
 * The reason that is kept of what `till.payments.fail` was given beside the payment. Nothing there keeps an outcome from
 * being recorded: what does not fit is cut or left out, and logged by merchant and id. Never throws.
 */
export function reasonOf(logger: Logger, key: PaymentKey, options: unknown): string | null {
  if (options === undefined || options === null) return null
  const fields = { merchantId: key.merchantId, paymentId: key.id }
  if (typeof options !== 'object') {
    logger.warn({ ...fields, given: typeof options }, 'the options of fail must be an object: left out')
    return null
  }
  try {
    const { failure, ...unknown } = options as { failure?: unknown }
    const names = Object.keys(unknown)
    if (names.length > 0) logger.warn({ ...fields, names }, 'fail knows no such options: left out')
    return fittingFailure(logger, key, failure)
  } catch (error) {
    logger.warn({ ...fields, error }, 'the options of fail cannot be read: left out')
    return null
  }
}

/** What is kept of a processor's reason, logged where that is not all of it. */
export function fittingFailure(
  logger: Logger,
  { merchantId, id }: PaymentKey,
  given: unknown,
): string | null {
  const { failure, whole } = keptFailure(given)
  if (!whole) {
    const what = failure === null ? 'left out' : 'cut'
    logger.warn(
      { merchantId, paymentId: id, given: typeof given },
      `a failure that is no text of at most 255 characters without NUL was ${what}`,
    )
  }
  return failure
}
