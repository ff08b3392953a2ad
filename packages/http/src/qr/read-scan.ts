import { startPayment, TillError, type Vocabulary, validate, wordOf } from '@tillkit/domain'
import { type PaymentParameters, parsePaymentUrl } from '@tillkit/qr'

/**
 * What a payment URL says, ready for `till.payments.start`: what that would refuse in it is refused here, before a customer sees
 * an order that nobody could pay.
 *
 * @param query The raw query of the URL, without `?`.
 * @param vocabulary Other words for the names in it.
 * @throws QrError, as `parsePaymentUrl`; `TillError` `invalid_input` naming `id`, by its word, or `extra`.
 */
export function readScan(scanCode: string, query: string, vocabulary?: Vocabulary): PaymentParameters {
  const scan = parsePaymentUrl(`/${scanCode}?${query}`, { vocabulary })
  try {
    validate(startPayment, { totalAmount: 0, ...scan }, 'the payment URL')
  } catch (error) {
    if (!(error instanceof TillError)) throw error
    const named = error.message.replace(/^merchantReference(?= )/, wordOf(vocabulary, 'id'))
    throw new TillError(error.code, named)
  }
  return scan
}
