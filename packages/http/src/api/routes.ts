import type { RouteDescription } from '../description/route-description.ts'
import { createCashUp } from './create-cash-up.ts'
import { getPayment } from './get-payment.ts'
import { listCashUpPayments } from './list-cash-up-payments.ts'
import { listCashUps } from './list-cash-ups.ts'
import { listPayments } from './list-payments.ts'
import type { Operation } from './operation.ts'

/** A route serves with what it describes itself by. */
export interface Route extends Operation {
  /** `GET` answers `HEAD` as well. */
  method: 'GET' | 'POST'
  /** `{…}` stands for one segment, handed to the endpoint as its parameter. */
  path: string
}

/** The whole API (API 4): what serves it. */
export const routes: readonly Route[] = [
  { method: 'GET', path: '/payments', ...listPayments },
  { method: 'GET', path: '/payments/{id}', ...getPayment },
  { method: 'GET', path: '/payments/cash_ups/{reference}', ...listCashUpPayments },
  { method: 'GET', path: '/cash_ups', ...listCashUps },
  { method: 'POST', path: '/cash_ups', ...createCashUp },
]

/** The whole API (API 4), as it describes itself: the table that serves it. */
export const apiRoutes: readonly RouteDescription[] = routes.map(({ endpoint: _, ...described }) => described)
