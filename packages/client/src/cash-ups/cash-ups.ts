import { ApiError } from '../api-error.ts'
import { getPage, type List, type Page, type PageQuery, pageParameters, refuseUnknown } from '../page.ts'
import { isPayment, type ListedPayment } from '../payments/payment.ts'
import { checkSeconds, type Settings } from '../settings.ts'
import { unfit } from '../transport/answer.ts'
import { requestFor } from '../transport/request.ts'
import { type CallOptions, send } from '../transport/send.ts'
import { type CashUp, isCashUp, isReference } from './cash-up.ts'
import { idempotencyKeyOf } from './idempotency-key.ts'
import { walkCashUps } from './walk-cash-ups.ts'
import { walkPeriod } from './walk-period.ts'

/** The cash ups of the merchant (API 4.4 to 4.6). */
export interface CashUps {
  /**
   * Ends the period and returns the cash up that names it. It is repeated as every call, always with the same key, so that
   * whatever is lost on the way it takes place once. Where it rejects, the error's `idempotencyKey` is what to call it with again;
   * where the `signal` ended it there is only the signal's reason, so give a key of your own with one.
   */
  create(options?: CreateCashUpOptions): Promise<CashUp>
  /** One page of the cash ups, newest first. */
  list(query?: PageQuery, options?: CallOptions): Promise<Page<CashUp>>
  /** Every cash up that there is, newest first, each once. Each page has the time of a call of its own. */
  all(options?: CallOptions): AsyncGenerator<CashUp, void, undefined>
  /**
   * The completed payments of a period, newest first. While one of them is pending there is no answer: that is waited for up
   * to `waitSeconds`, then the iterator rejects with `not_ready`.
   */
  payments(reference: string, options?: PeriodPaymentsOptions): AsyncGenerator<ListedPayment, void, undefined>
}

/** What `cashUps.create` takes. */
export interface CreateCashUpOptions extends CallOptions {
  /** One for each cash up, 1 to 255 printable characters of ASCII: the same again returns the same cash up. Made up when left out. */
  idempotencyKey?: string | undefined
}

/** What `cashUps.payments` takes. */
export interface PeriodPaymentsOptions extends CallOptions {
  /** How long to wait for the last outcome of the period: 0 seconds when left out, 86400 at most. */
  waitSeconds?: number | undefined
}

export function cashUpsOf(settings: Settings): CashUps {
  const { word } = settings.words
  const segments = [word('cash_ups')]
  const list: List<CashUp> = { segments, group: 'cashUp', isItem: isCashUp }
  return {
    async create({ idempotencyKey, signal } = {}) {
      const key = idempotencyKeyOf(idempotencyKey)
      const request = requestFor(settings, 'POST', segments)
      request.headers['Idempotency-Key'] = key
      try {
        const answer = await send(request, settings, { signal })
        const object = settings.words.ours('cashUp', Object(answer.value))
        if (!isCashUp(object)) throw unfit(answer, request, 'no cash up')
        return object
      } catch (error) {
        throw error instanceof ApiError ? new ApiError({ ...facts(error), idempotencyKey: key }) : error
      }
    },

    async list(query = {}, options) {
      refuseUnknown(query, ['page', 'perPage', 'offset'])
      return getPage(settings, list, pageParameters(query), request => send(request, settings, options))
    },

    all(options) {
      const page = (query: PageQuery) =>
        getPage(settings, list, pageParameters(query), request => send(request, settings, options))
      return walkCashUps(page, options?.signal)
    },

    payments(reference, { waitSeconds = 0, signal } = {}) {
      if (!isReference(reference))
        throw new TypeError('reference must be that of a cash up: hexadecimal digits')
      const period: List<ListedPayment> = {
        segments: [word('payments'), word('cash_ups'), reference],
        group: 'payment',
        isItem: isPayment,
      }
      const page = (query: PageQuery) =>
        getPage(settings, period, pageParameters(query), request => send(request, settings, { signal }))
      return walkPeriod(page, checkSeconds('waitSeconds', waitSeconds), signal)
    },
  }
}

/** What is an error's own, spread as it is, has no message. */
function facts(error: ApiError) {
  return { ...error, message: error.message }
}
