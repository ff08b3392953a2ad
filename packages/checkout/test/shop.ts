import {
  type ChargeContext,
  type ChargeOutcome,
  type Checkout,
  type CheckoutOptions,
  createCheckout,
} from '@tillkit/checkout'
import type { HttpHandler, HttpRequest, HttpResponse } from '@tillkit/http'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill, type Payment, type TillOptions } from '@tillkit/till'

export const QR_BASE_URL = 'https://pay.example.com'

/** A processor that keeps a book of what it was asked to charge, and answers as it is told. */
export function bookkeeper() {
  const book = {
    charged: [] as Payment[],
    contexts: [] as ChargeContext[],
    answer: (_: Payment, __: ChargeContext): ChargeOutcome | Promise<ChargeOutcome> => ({
      status: 'completed',
    }),
    charge(payment: Payment, context: ChargeContext) {
      book.charged.push(payment)
      book.contexts.push(context)
      return book.answer(payment, context)
    },
  }
  return book
}

/** A till with a café that has tips and references and a bookshop that has neither, and a checkout over it. */
export async function openShop(
  options: Partial<CheckoutOptions> = {},
  tillOptions: Partial<TillOptions> = {},
) {
  const storage = tillOptions.storage ?? memoryStorage()
  const till = createTill({ storage, rememberSeconds: 0, ...tillOptions })
  const cafe = await till.merchants.create({
    id: 'cafe',
    name: 'Corner Café',
    features: { tips: true, userReferences: true },
  })
  const books = await till.merchants.create({ id: 'books', name: 'Harbour Books' })
  await till.scanCodes.create(cafe.id, { code: 'table-1' })
  await till.scanCodes.create(books.id, { code: 'shelf' })
  const processor = bookkeeper()
  const another = (more: Partial<CheckoutOptions> = {}, itsTill = till): Checkout =>
    createCheckout(itsTill, {
      qrBaseUrl: QR_BASE_URL,
      processor,
      currency: 'EUR',
      locale: 'en-IE',
      rateLimits: false,
      ...options,
      ...more,
    })
  const checkout = another()
  return { till, storage, cafe, books, processor, checkout, another, customer: customerOf(checkout.handler) }
}

export interface Sent extends Partial<HttpRequest> {
  form?: Record<string, string>
  /** What the browser's jar holds. */
  cookie?: string | undefined
}

/** Sends a request over HTTPS to a handler, with no socket between. */
export function send(
  handler: HttpHandler,
  target: string,
  { form, cookie, headers, ...facts }: Sent = {},
): Promise<HttpResponse> {
  const mark = target.indexOf('?')
  return handler({
    method: form ? 'POST' : 'GET',
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? '' : target.slice(mark + 1),
    headers: {
      ...(cookie !== undefined && { cookie }),
      ...(headers ??
        (form && { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' })),
    },
    secure: true,
    remoteAddress: '203.0.113.7',
    body: async () => Buffer.from(new URLSearchParams(form).toString()),
    ...facts,
  })
}

/**
 * A customer's browser, as far as it matters here: follows redirects, keeps cookies unless it is told not to, and fills in
 * the form of the page it is on.
 */
export function customerOf(handler: HttpHandler, { cookies = true } = {}) {
  let jar: string | undefined
  const resolve = (target: string, location: string) => {
    const url = new URL(location, `${QR_BASE_URL}/qr${target}`)
    return `${url.pathname.replace(/^\/qr/, '')}${url.search}`
  }

  async function go(
    target: string,
    sent?: Sent,
  ): Promise<{ target: string; response: HttpResponse; page: string }> {
    const response = await send(handler, target, { cookie: jar, ...sent })
    if (cookies) jar = response.headers['Set-Cookie']?.split(';')[0] ?? jar
    if (response.status === 303) return go(resolve(target, response.headers.Location ?? ''))
    return { target, response, page: String(response.body) }
  }

  return {
    /** The `Cookie` header that it sends. */
    cookie: () => jar,
    /** Opens an address, from a QR code or of an attempt. */
    open: (target: string) => go(target),
    /** Presses the button of the page at `target`, with what the page shows and what is typed. */
    press: (target: string, typed: Record<string, string> = {}, more: Sent = {}) =>
      go(target, { form: typed, ...more }),
    /** Scans, types, presses, agrees to the total if asked to. */
    async pay(scanned: string, typed: Record<string, string> = {}) {
      const { target, page } = await go(scanned)
      const first = await go(target, { form: { total: totalShown(page), ...typed } })
      if (stateOf(first.page) !== 'pay') return first
      return go(target, { form: { ...typed, total: totalShown(first.page) } })
    },
  }
}

/** The total of a page's form: what it would send as seen. */
export function totalShown(page: string): string {
  return /name="total" value="(\d*)"/.exec(page)?.[1] ?? 'none'
}

/** Which page it is: `pay`, `pending`, `completed`, `error`, `taken`, `message`. */
export function stateOf(page: string): string | undefined {
  return /<main data-state="([a-z]+)"/.exec(page)?.[1]
}
