import type { Endpoint } from './call.ts'
import { createCashUp } from './create-cash-up.ts'
import { getPayment } from './get-payment.ts'
import { listCashUpPayments } from './list-cash-up-payments.ts'
import { listCashUps } from './list-cash-ups.ts'
import { listPayments } from './list-payments.ts'

export interface Route {
  /** `GET` answers `HEAD` as well. */
  method: 'GET' | 'POST'
  /** `{…}` stands for one segment, handed to the endpoint as its parameter. */
  path: string
  endpoint: Endpoint
}

/** The whole API (API 4). */
export const routes: readonly Route[] = [
  { method: 'GET', path: '/payments', endpoint: listPayments },
  { method: 'GET', path: '/payments/{id}', endpoint: getPayment },
  { method: 'GET', path: '/payments/cash_ups/{reference}', endpoint: listCashUpPayments },
  { method: 'GET', path: '/cash_ups', endpoint: listCashUps },
  { method: 'POST', path: '/cash_ups', endpoint: createCashUp },
]
