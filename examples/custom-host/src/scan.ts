import { randomInt } from 'node:crypto'
import { instant, newPayment, type Payment, startPayment, validate } from '@tillkit/domain'
import type { PaymentParameters } from '@tillkit/qr'
import type { Storage } from '@tillkit/storage'

/** Takes the customer's money; true when the card was charged. */
export type Charge = (payment: Payment) => Promise<boolean>

const sixDigits = () => String(randomInt(1_000_000)).padStart(6, '0')

/** What a payment is started with. Throws `TillError` for an order that none could be, such as one with too long an id. */
export function asked(scan: PaymentParameters) {
  return validate(startPayment, { ...scan, totalAmount: scan.requiredAmount ?? 0 }, 'a payment')
}

/** Records the payment of a scanned code, charges, and records the outcome. Null for an unknown code. */
export async function pay(store: Storage, scan: PaymentParameters, charge: Charge): Promise<Payment | null> {
  const wanted = asked(scan)
  const found = await store.scanCodes.find(scan.scanCode)
  if (found === null) return null
  const attempt = newPayment(wanted, found.merchant, found.scanCode, sixDigits)
  const { payment } = await store.payments.start(attempt, instant(new Date()))
  if (payment.status === 'error') return payment // strict, and refused

  const outcome = (await charge(payment))
    ? ({ status: 'completed' } as const)
    : ({ status: 'error', failure: 'declined' } as const)
  const resolved = await store.payments.resolve(payment, outcome, instant(new Date()))
  return resolved?.payment ?? null
}
