import type { HttpRequest, HttpResponse } from '@tillkit/http'
import { CommitUnknownError } from '@tillkit/storage'
import type { Merchant, Payment, Till } from '@tillkit/till'
import { attemptPage, type Counter } from './attempt-page.ts'
import { UnpaidError } from './faults.ts'
import type { Messages } from './messages.ts'
import type { Checked } from './options.ts'
import { isOwnOrigin } from './own-origin.ts'
import type { PageResponses } from './page-response.ts'
import type { FormNotice } from './pages/pay-page.ts'
import { attemptKey, newAttempt, startedFor, type Title, titleOf } from './payment/attempt.ts'
import type { Charger } from './payment/charger.ts'
import { LinkError } from './payment/link/link-error.ts'
import { linkSignature } from './payment/link/link-signature.ts'
import { returnUrl } from './payment/return-address.ts'
import { ownerOf, type Scan, scanOrError } from './payment/scan.ts'
import { type Visitor, visitorOf } from './payment/visitor.ts'
import { press } from './press.ts'
import { withQuery } from './relative.ts'
import { checkAmount } from './shop/limits.ts'
import { backFrom, backTo } from './shop/way-back.ts'

/** Where a customer is: on the page of this attempt to pay on this code. */
interface AttemptAddress {
  scanCode: string
  attempt: string
}

/** What a customer does: scan, look, press, save. */
export interface Visits {
  scan(scanCode: string, request: HttpRequest): Promise<HttpResponse>
  attempt(address: AttemptAddress, request: HttpRequest): Promise<HttpResponse>
  press(address: AttemptAddress, request: HttpRequest): Promise<HttpResponse>
  receipt(address: AttemptAddress, request: HttpRequest): Promise<HttpResponse>
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
  const { accepts, qrBaseUrl, money, vocabulary, shopOf, https } = options
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

  /** Where the customer of a link stands that may be used: it is signed as the host asks, and its shop takes the amount. */
  async function counterOf(scan: Scan, { query }: HttpRequest): Promise<Counter> {
    const { merchant, parameters } = scan
    const signed = await checkSignature(parameters.scanCode, merchant.id, query)
    const shop = await shopOf(merchant)
    checkAmount(scan, shop)
    return { merchant, shop, back: backTo({ extra: parameters.extra, shop, http: https === 'off' }, signed) }
  }

  /** The same once it has been used, whatever became of the link since. */
  async function counterAfter(
    { extra, scanCode }: Payment,
    merchant: Merchant,
    { query }: HttpRequest,
  ): Promise<Counter> {
    const shop = await shopOf(merchant)
    const check = () => checkSignature(scanCode, merchant.id, query)
    return { merchant, shop, back: await backFrom({ extra, shop, http: https === 'off' }, check) }
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
      await counterOf(scan, request)
      if (scan.suspended) return say.suspended(scan.merchant)
      const visitor = visitorOf(request)
      const attempt = newAttempt(scan.parameters, visitor)
      const folder = request.path.endsWith('/') ? '' : `${scanCode}/`
      return greeted(responses.redirect(withQuery(`${folder}pay/${attempt}`, request.query)), visitor)
    },

    async attempt(address, request) {
      const place = await placeOf(address, request)
      if (place === null) return say.unknown()
      const { merchant, scan, visitor, title, payment } = place
      if (payment && title.own) {
        const here = { attempt: address.attempt, query: request.query }
        const counter = await counterAfter(payment, merchant, request)
        // For as long as somebody looks at it, and then for some days, it stays to be seen.
        return greeted(await pages.result(await charger.standing(payment), counter, here), visitor)
      }
      if (!(await accepts(address.scanCode, merchant))) return say.unknown()
      if (scan instanceof LinkError) throw scan
      if (payment && startedFor(payment, scan.parameters)) {
        // A bank's app may lead back into another browser: what came of it is found, and not shown there.
        void charger.standing(payment)
        return say.begun(merchant, withQuery(`../../${address.scanCode}`, request.query))
      }
      // What was paid already is shown for good; a link that has ended meanwhile starts nothing more.
      const counter = await counterOf(scan, request)
      if (scan.suspended) return say.suspended(merchant)
      if (!title.usable || payment) return renewed(scan, visitor, request.query)
      const form = await pages.form(scan, counter, noticeOf(title))
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
      const counter = await counterOf(scan, request)
      if (scan.suspended) return say.suspended(merchant)
      if (!isOwnOrigin(request, qrBaseUrl)) return { ...(await pages.form(scan, counter)), status: 403 }
      if (!title.usable || payment) return renewed(scan, visitor, request.query)

      const returns = returnUrl({ ...address, query: request.query }, options)
      const pressing = { charger, form: pages, money, returnUrl: returns }
      const pressed = await press(pressing, scan, counter, address.attempt, request).catch(error => {
        // Whoever does not learn that it started the payment does not charge it: it may be there, and then it is looked for.
        throw error instanceof CommitUnknownError ? error : new UnpaidError(error)
      })
      if ('again' in pressed) return pressed.again
      // Without a cookie this answer is the only one that is known to go to whoever pressed.
      if (title.own || !pressed.created) return there
      const standing = await charger.standing(pressed.payment)
      return pages.resultOnce(standing, counter, { attempt: address.attempt, query: request.query })
    },

    async receipt(address, request) {
      const place = await placeOf(address, request)
      if (place === null) return say.unknown()
      const { merchant, title, payment } = place
      if (payment?.status === 'completed' && title.own)
        return pages.receipt(payment, await counterAfter(payment, merchant, request))
      // Whatever there is instead is on the attempt's page.
      return responses.redirect(withQuery(`../${address.attempt}`, request.query))
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
