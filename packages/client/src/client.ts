import { type CashUps, cashUpsOf } from './cash-ups/cash-ups.ts'
import type { ClientOptions } from './client-options.ts'
import { type Payments, paymentsOf } from './payments/payments.ts'
import { type PaymentUrls, paymentUrlsOf } from './qr/payment-urls.ts'
import { settingsOf } from './settings.ts'

/** A merchant's side of the API. All calls reject with `ApiError`, and with the reason of the `signal` that ended them. */
export interface Client {
  /** Payments: by id, by page, all of them, and waiting for one. */
  readonly payments: Payments
  /** Cash ups, and the payments of their periods. */
  readonly cashUps: CashUps
  /** Payment URLs and their images. */
  readonly qr: PaymentUrls
}

/** A client of one merchant's API key. Throws a TypeError naming an option that is wrong; asks the server for nothing yet. */
export function createClient(options: ClientOptions): Client {
  const settings = settingsOf(options)
  return {
    payments: paymentsOf(settings),
    cashUps: cashUpsOf(settings),
    qr: paymentUrlsOf(settings),
  }
}
