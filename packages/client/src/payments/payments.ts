import { getPage, type List, type Page, type PageQuery, pageParameters, whole } from '../page.ts'
import { checkSeconds, type Settings } from '../settings.ts'
import { unfit } from '../transport/answer.ts'
import { deadlineIn } from '../transport/deadline.ts'
import { requestFor } from '../transport/request.ts'
import { type CallOptions, send, sendBefore } from '../transport/send.ts'
import { isPayment, type ListedPayment, type Payment } from './payment.ts'
import { filterParameters, type PaymentFilter } from './payment-filter.ts'
import { type ListBefore, waitForPayment } from './wait-for-payment.ts'
import { walkPayments } from './walk-payments.ts'

/** The payments of the merchant (API 4.2 and 4.3). */
export interface Payments {
  /** One payment by its id. Rejects with `not_found` where the merchant has none of it. */
  get(id: number, options?: CallOptions): Promise<Payment>
  /** One page of the payments that match, newest first. */
  list(query?: PaymentFilter & PageQuery, options?: CallOptions): Promise<Page<ListedPayment>>
  /**
   * Every payment that matched when it began, newest first, each once, however many come while it is walked; those are not
   * given. Each page has the time of a call of its own. `perPage`, 2 to 100, is 100 when left out.
   *
   * With a `status` that has `pending` and not all three this holds for `perPage` matches; of more, a payment that gets its
   * outcome before its page is asked for is not given. No answer of the API says what a payment was before its outcome. Without
   * `status` each is given, with the status that it has when its page is asked for. What comes to match a `status` or
   * `statementReference` meanwhile may be given too.
   */
  all(query?: AllPaymentsQuery, options?: CallOptions): AsyncGenerator<ListedPayment, void, undefined>
  /**
   * Waits for an outcome: the completed payment that matches; where all that match were refused, the newest of them; null
   * when the time is over and neither is so. It needs a reference or a scan code to wait for.
   */
  waitFor(query: WaitForQuery, options?: WaitForOptions): Promise<ListedPayment | null>
}

/** What `payments.all` takes. */
export interface AllPaymentsQuery extends PaymentFilter {
  /** How many payments are asked for at a time: 2 to 100; 100 when left out. */
  perPage?: number | undefined
}

/** What `payments.waitFor` waits for. */
export type WaitForQuery = Omit<PaymentFilter, 'status' | 'statementReference'>

/** How `payments.waitFor` waits. */
export interface WaitForOptions extends CallOptions {
  /** For how long: 60 seconds when left out, 86400 at most; 0 looks once. */
  timeoutSeconds?: number | undefined
}

const LIST: List<ListedPayment> = { segments: ['payments'], group: 'payment', isItem: isPayment }

const MOST_PER_PAGE = 100

export function paymentsOf(settings: Settings): Payments {
  const segments = [settings.words.word('payments')]
  const list = { ...LIST, segments }
  return {
    async get(id, options) {
      if (!Number.isSafeInteger(id) || id < 0) throw new TypeError('id must be the number of a payment')
      const request = requestFor(settings, 'GET', [...segments, String(id)])
      const answer = await send(request, settings, options)
      const object = settings.words.ours('payment', Object(answer.value))
      if (!isPayment(object)) throw unfit(answer, request, 'no payment')
      return object
    },

    async list(query = {}, options) {
      const filter = filterParameters(query, ['page', 'perPage', 'offset'])
      const parameters = { ...filter, ...pageParameters(query) }
      return getPage(settings, list, parameters, request => send(request, settings, options))
    },

    all(query = {}, options) {
      const filter = filterParameters(query, ['perPage'])
      const perPage = whole('perPage', query.perPage, 2, MOST_PER_PAGE) ?? MOST_PER_PAGE
      const page = (parameters: typeof filter) =>
        getPage(settings, list, parameters, request => send(request, settings, options))
      return walkPayments({ list: page, filter, perPage, signal: options?.signal })
    },

    async waitFor(query, { timeoutSeconds = 60, signal } = {}) {
      refuseEverything(query)
      const filter = filterParameters(query, [])
      const page: ListBefore = (parameters, deadline) => {
        const seconds = Math.min(settings.timeoutSeconds, Math.max(0, deadline.left() / 1000))
        const before = deadlineIn(seconds, signal)
        return getPage(settings, list, parameters, request => sendBefore(request, settings, before))
      }
      return waitForPayment(page, filter, checkSeconds('timeoutSeconds', timeoutSeconds), signal)
    },
  }
}

/** With a reference that is undefined by mistake, anybody's payment would do. */
function refuseEverything(query: WaitForQuery): void {
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) throw new TypeError(`${name} must not be undefined: any payment would match`)
    if (name === 'status' || name === 'statementReference')
      throw new TypeError(`${name} cannot be waited for`)
  }
  if (query.merchantReference ?? query.userReference ?? query.scanCode ?? query.scanCodeReference) return
  throw new TypeError('query must have a merchantReference, userReference, scanCode or scanCodeReference')
}
