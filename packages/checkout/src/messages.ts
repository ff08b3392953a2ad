import type { HttpResponse, Standing } from '@tillkit/http'
import { tooManyRequests } from '@tillkit/http'
import type { Merchant } from '@tillkit/till'
import type { PageResponses } from './page-response.ts'
import { fact } from './pages/facts.ts'
import { type Message, messagePage } from './pages/message-page.ts'
import { filled, type Texts } from './pages/texts.ts'
import type { LinkFault } from './payment/link/link-error.ts'

/** The pages that say why there is nothing else to show. */
export interface Messages {
  /** For an unknown code, one that the host does not take payments on, and any other path: all look alike. */
  unknown(): HttpResponse
  /** For a code that takes no payments now, it or its merchant being suspended; `merchant` where it is at hand. */
  suspended(merchant?: Merchant): HttpResponse
  /** For the address of a payment that another browser started. `again` is where to make one of one's own. */
  begun(merchant: Merchant, again: string): HttpResponse
  /** For a URL with parameters that no payment could be started with. */
  wrongLink(fault: LinkFault): HttpResponse
  /** For a form that is too large (413, 400) or too slow (408), or says what no payment can be started with. */
  wrongForm(status: number, again: string): HttpResponse
  wrongMethod(allow: string): HttpResponse
  insecure(): HttpResponse
  tooMany(standing: Standing): HttpResponse
  /** `id` is the request's, which the log line has too. */
  fault(id: string): HttpResponse
  /** While the database is out of reach; `unpaid` where it is known that this request has charged nothing. */
  unavailable(options: { id: string; again: string; unpaid: boolean }): HttpResponse
}

/** How soon a customer may look again: a database that fails over is back by then. */
const RETRY_SECONDS = 5

export function messages({ page }: PageResponses, texts: Texts): Messages {
  const say = (status: number, heading: string, more: string, rest: Partial<Message> = {}): HttpResponse =>
    page(
      status,
      { title: heading, state: 'message' },
      messagePage({ status: 'error', heading, more, ...rest }),
    )

  const withHeaders = (response: HttpResponse, headers: Record<string, string>): HttpResponse => ({
    ...response,
    headers: { ...headers, ...response.headers },
  })

  return {
    unknown: () => say(404, texts.unknown, texts.unknownMore),
    suspended: merchant =>
      say(403, texts.suspended, texts.suspendedMore, {
        ...(merchant && { facts: [fact(texts.merchant, merchant.name)] }),
      }),
    begun: (merchant, again) =>
      say(200, texts.begun, texts.begunMore, {
        status: 'note',
        facts: [fact(texts.merchant, merchant.name)],
        link: { href: again, text: texts.payAnother },
      }),
    wrongLink: fault =>
      say(fault === 'tooLong' ? 414 : 400, texts.wrongLink, texts.wrongLinks[fault], {
        detail: texts.unknownMore,
      }),
    wrongForm(status, again) {
      const more = status === 408 ? texts.wrongFormLate : texts.wrongFormMore
      const page = say(status, texts.wrongForm, more, { link: { href: again, text: texts.lookAgain } })
      // The rest of what is late is not waited for.
      return status === 408 ? withHeaders(page, { Connection: 'close' }) : page
    },
    wrongMethod: allow => withHeaders(say(405, texts.fault, texts.unknownMore), { Allow: allow }),
    insecure: () => say(403, texts.fault, texts.insecure),
    fault: id => say(500, texts.fault, texts.faultMore, { detail: filled(texts.faultId, { id }) }),

    unavailable({ id, again, unpaid }) {
      const more = unpaid ? texts.unavailableUnpaid : texts.unavailableMore
      const link = { href: again, text: texts.lookAgain }
      return withHeaders(say(503, texts.unavailable, more, { link, detail: filled(texts.faultId, { id }) }), {
        'Retry-After': String(RETRY_SECONDS),
      })
    },

    tooMany(standing) {
      const { status, headers } = tooManyRequests(standing)
      const { 'Content-Length': _, ...own } = headers
      return withHeaders(say(status, texts.tooMany, texts.tooManyMore), own)
    },
  }
}
