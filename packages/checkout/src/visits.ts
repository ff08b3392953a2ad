import type { HttpRequest, HttpResponse } from '@tillkit/http'
import type { Merchant, Till } from '@tillkit/till'
import { attemptPage } from './attempt-page.ts'
import type { Messages } from './messages.ts'
import type { Checked } from './options.ts'
import { isOwnOrigin } from './own-origin.ts'
import type { PageResponses } from './page-response.ts'
import { attemptKey, newAttempt } from './payment/attempt.ts'
import type { Charger } from './payment/charger.ts'
import { merchantOf, readScan } from './payment/scan.ts'
import { press } from './press.ts'

/** Where a customer is: on the page of this attempt to pay on this code. */
export interface AttemptAddress {
  scanCode: string
  attempt: string
}

/** What a customer does: scan, look, press. */
export interface Visits {
  scan(scanCode: string, request: HttpRequest): Promise<HttpResponse>
  attempt(address: AttemptAddress, request: HttpRequest): Promise<HttpResponse>
  press(address: AttemptAddress, request: HttpRequest): Promise<HttpResponse>
}

/**
 * A scan gives the customer an address of an attempt. From then on everything happens there: the form while the attempt has
 * no payment, its result once it has one. So a second press, a reload and the way back all come to the same payment.
 */
export function visits(
  till: Till,
  options: Checked,
  responses: PageResponses,
  say: Messages,
  charger: Charger,
): Visits {
  const { accepts, qrBaseUrl, money } = options
  const pages = attemptPage(till, options, responses)

  const paymentOf = ({ scanCode, attempt }: AttemptAddress, merchant: Merchant) =>
    till.payments.findAttempt(merchant.id, attemptKey(scanCode, attempt))

  return {
    async scan(scanCode, { query }) {
      const merchant = await merchantOf(till, scanCode)
      if (merchant === null || !(await accepts(scanCode, merchant))) return say.unknown()
      readScan(merchant, scanCode, query)
      return responses.redirect(withQuery(`${scanCode}/pay/${newAttempt()}`, query))
    },

    async attempt(address, { query }) {
      const merchant = await merchantOf(till, address.scanCode)
      const payment = merchant && (await paymentOf(address, merchant))
      if (merchant && payment) return pages.result(payment, merchant, asciiQuery(query))
      if (merchant === null || !(await accepts(address.scanCode, merchant))) return say.unknown()
      return pages.form(readScan(merchant, address.scanCode, query))
    },

    async press(address, request) {
      const merchant = await merchantOf(till, address.scanCode)
      const there = responses.redirect(withQuery(address.attempt, request.query))
      if (merchant && (await paymentOf(address, merchant))) return there
      if (merchant === null || !(await accepts(address.scanCode, merchant))) return say.unknown()
      const scan = readScan(merchant, address.scanCode, request.query)
      if (!isOwnOrigin(request, qrBaseUrl)) return { ...(await pages.form(scan)), status: 403 }
      return (await press({ charger, form: pages, money }, scan, address.attempt, request)) ?? there
    },
  }
}

function withQuery(path: string, query: string): string {
  return query === '' ? path : `${path}?${asciiQuery(query)}`
}

/** A raw query fit for an address. Adapters hand on what came over the wire, which is not always ASCII. */
function asciiQuery(query: string): string {
  return query.toWellFormed().replace(/[^!-~]+/g, encodeURIComponent)
}
