import { paymentObject, TillError } from '@tillkit/domain'
import { json } from '../json.ts'
import type { Call } from './call.ts'

/** `GET /payments/{id}` (API 4.3). */
export async function getPayment({ till, merchant, parameter }: Call) {
  const id = paymentId(parameter)
  const payment = id === null ? null : await till.payments.get(merchant.id, id)
  if (payment === null) throw new TillError('not_found', 'There is no payment with this id')
  return json(200, paymentObject(payment))
}

function paymentId(text: string): number | null {
  return /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null
}
