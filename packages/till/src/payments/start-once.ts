import { isScanCode, newPayment, shortened, startPayment, TillError, validate } from '@tillkit/domain'
import type { Context } from '../context.ts'
import { randomAuthCode } from '../random-text.ts'
import type { Payments } from './calls.ts'

export function startOnce({ storage, scanned, clock, wakeWorker }: Context): Payments['startOnce'] {
  return async input => {
    const request = validate(startPayment, input, 'a payment')
    const found = isScanCode(request.scanCode) ? await scanned.get(request.scanCode) : null
    if (found === null)
      throw new TillError('not_found', `scan code ${shortened(request.scanCode)} is unknown`)
    const attempt = newPayment(request, found.merchant, found.scanCode, randomAuthCode)
    const started = await storage.payments.start(attempt, clock.given())
    if (started.created && started.payment.status === 'error') wakeWorker()
    return started
  }
}
