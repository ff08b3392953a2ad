import type { HttpRequest, HttpResponse } from '@tillkit/http'
import { CommitUnknownError } from '@tillkit/storage'
import type { Merchant, Payment, Till } from '@tillkit/till'
import { attemptPage } from './attempt-page.ts'
import { UnpaidError } from './faults.ts'
import type { Messages } from './messages.ts'
import type { Checked } from './options.ts'
import { isOwnOrigin } from './own-origin.ts'
import type { PageResponses } from './page-response.ts'
import type { FormNotice } from './pages/pay-page.ts'
import { attemptKey, newAttempt, startedFor, type Title, titleOf } from './payment/attempt.ts'
import type { Charger } from './payment/charger.ts'
import { LinkError } from './payment/link-error.ts'
import { linkSignature } from './payment/link-signature.ts'
import { ownerOf, type Scan, scanOrError } from './payment/scan.ts'
import { type Visitor, visitorOf } from './payment/visitor.ts'
import { press } from './press.ts'
import { asciiQuery, withQuery } from './relative.ts'

/** Where a customer is: on the page of this attempt to pay on this code. */
interface AttemptAddress {
  scanCode: string
  attempt: string
}

/** What a customer does: scan, look, press. */
export interface Visits {
  scan(scanCode: string, request: HttpRequest): Promise<HttpResponse>
  attempt(address: AttemptAddress, request: HttpRequest): Promise<HttpResponse>
  press(address: AttemptAddress, request: HttpRequest): Promise<HttpResponse>
}

/** What there is at the address of an attempt, for the browser that came there. */
interface Place {
  merchant: Merchant
  scan: Scan | LinkError
  visitor: Visitor
  title: Title
  /** Whoever started it. */
  payment: Payment | null
}

const NOBODYS: Title = { own: false, usable: false, renewed: false }

/**
 * A scan gives the customer an address of an attempt, made for this browser. From then on everything happens there: the form
 * while the attempt has no payment, its result once it has one. So a second press, a reload and the way back all come to the
 * same payment. In any other browser, and with other parameters, the address leads to an attempt of its own.
 */
export function visits(
  till: Till,
  options: Checked,
  { responses, say }: { responses: PageResponses; say: Messages },
  charger: Charger,
): Visits {
  const { accepts, qrBaseUrl, money, vocabulary } = options
  const pages = attemptPage(till, options, responses)
  const checkSignature = linkSignature(till, options)

  async function placeOf({ scanCode, attempt }: AttemptAddress, request: HttpRequest): Promise<Place | null> {
    const owner = await ownerOf(till, scanCode)
    if (owner === null) return null
    const { merchant } = owner
    const scan = scanOrError(owner, scanCode, request.query, vocabulary)
    const visitor = visitorOf(request)
    const title = scan instanceof LinkError ? NOBODYS : titleOf(attempt, scan.parameters, visitor)
    const payment = await till.payments.findAttempt(merchant.id, attemptKey(scanCode, attempt))
    return { merchant, scan, visitor, title, payment }
  }

  /** To another attempt, in the place of one that is not this browser's. Who shows no cookie gets one to show from now on. */
  function renewed({ parameters }: Scan, visitor: Visitor, query: string): HttpResponse {
    const attempt = newAttempt(parameters, visitor.known ? visitor : null, { renewed: true })
    return greeted(responses.redirect(withQuery(attempt, query)), visitor)
  }

  return {
    async scan(scanCode, request) {
      const owner = await ownerOf(till, scanCode)
      if (owner === null || !(await accepts(scanCode, owner.merchant))) return say.unknown()
      const scan = scanOrError(owner, scanCode, request.query, vocabulary)
      if (scan instanceof LinkError) throw scan
      await checkSignature(scanCode, owner.merchant.id, request.query)
      if (scan.suspended) return say.suspended(scan.merchant)
      const visitor = visitorOf(request)
      const attempt = newAttempt(scan.parameters, visitor)
      return greeted(responses.redirect(withQuery(`${scanCode}/pay/${attempt}`, request.query)), visitor)
    },

    async attempt(address, request) {
      const place = await placeOf(address, request)
      if (place === null) return say.unknown()
      const { merchant, scan, visitor, title, payment } = place
      if (payment && title.own) return pages.result(payment, merchant, asciiQuery(request.query))
      if (!(await accepts(address.scanCode, merchant))) return say.unknown()
      if (scan instanceof LinkError) throw scan
      if (payment && startedFor(payment, scan.parameters))
        return say.begun(merchant, withQuery(`../../${address.scanCode}`, request.query))
      // What was paid already is shown for good; a link that has ended meanwhile starts nothing more.
      await checkSignature(address.scanCode, merchant.id, request.query)
      if (scan.suspended) return say.suspended(merchant)
      if (!title.usable || payment) return renewed(scan, visitor, request.query)
      const form = await pages.form(scan, noticeOf(title))
      // Where it turns out that the browser keeps cookies after all, its press leads to an attempt of its own.
      return title.own ? form : greeted(form, visitor)
    },

    async press(address, request) {
      const place = await placeOf(address, request)
      if (place === null) return say.unknown()
      const { merchant, scan, visitor, title, payment } = place
      const there = responses.redirect(withQuery(address.attempt, request.query))
      if (payment && title.own) return there
      if (!(await accepts(address.scanCode, merchant))) return say.unknown()
      if (scan instanceof LinkError) throw scan
      if (payment && startedFor(payment, scan.parameters)) return there
      await checkSignature(address.scanCode, merchant.id, request.query)
      if (scan.suspended) return say.suspended(merchant)
      if (!isOwnOrigin(request, qrBaseUrl)) return { ...(await pages.form(scan)), status: 403 }
      if (!title.usable || payment) return renewed(scan, visitor, request.query)

      const pressed = await press({ charger, form: pages, money }, scan, address.attempt, request).catch(
        error => {
          // Whoever does not learn that it started the payment does not charge it: it may be there, and then it is looked for.
          throw error instanceof CommitUnknownError ? error : new UnpaidError(error)
        },
      )
      if ('again' in pressed) return pressed.again
      // Without a cookie this answer is the only one that is known to go to whoever pressed.
      if (title.own || !pressed.created) return there
      return pages.resultOnce(pressed.payment, merchant, asciiQuery(request.query))
    },
  }
}

function noticeOf({ own, renewed }: Title): FormNotice | undefined {
  if (!own) return 'forgetful'
  return renewed ? 'renewed' : undefined
}

function greeted(response: HttpResponse, { cookie }: Visitor): HttpResponse {
  return { ...response, headers: { ...response.headers, 'Set-Cookie': cookie } }
}
