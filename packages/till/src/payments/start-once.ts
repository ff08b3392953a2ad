import {
  isScanCode,
  newPayment,
  type StartPayment,
  shortened,
  startPayment,
  TillError,
  validate,
} from '@tillkit/domain'
import { traced } from '@tillkit/storage/channels'
import { type PaymentMessage, paymentChannel, traceOf } from '../channels/payment.ts'
import type { Context } from '../context.ts'
import { randomAuthCode } from '../random-text.ts'
import type { Payments, StartedPayment } from './calls.ts'

export function startOnce({
  name: till,
  storage,
  scanned,
  clock,
  wakeWorker,
}: Context): Payments['startOnce'] {
  const start = async (input: StartPayment, message?: PaymentMessage): Promise<StartedPayment> => {
    const request = validate(startPayment, input, 'a payment')
    const found = isScanCode(request.scanCode) ? await scanned.get(request.scanCode) : null
    if (found === null)
      throw new TillError('not_found', `scan code ${shortened(request.scanCode)} is unknown`)
    if (message) message.merchantId = found.merchant.id
    const attempt = newPayment(request, found.merchant, found.scanCode, randomAuthCode)
    const started = await storage.payments.start(attempt, clock.given(), traceOf(message))
    if (started.created && started.payment.status === 'error') wakeWorker()
    return started
  }
  return input => {
    if (!paymentChannel.hasSubscribers) return start(input)
    const message: PaymentMessage = { till, operation: 'start' }
    return traced(paymentChannel, message, () => start(input, message))
  }
}
