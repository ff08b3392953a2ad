import type { HttpResponse } from '@tillkit/http'
import type { Merchant, Payment, Till } from '@tillkit/till'
import type { Checked } from './options.ts'
import type { PageResponses } from './page-response.ts'
import { fact } from './pages/facts.ts'
import type { Html } from './pages/html.ts'
import type { Layout } from './pages/layout.ts'
import { messagePage } from './pages/message-page.ts'
import { type FormNotice, payPage } from './pages/pay-page.ts'
import { resultPage, title } from './pages/result-page.ts'
import { SCRIPT_NAME } from './pages/script.ts'
import type { Texts } from './pages/texts.ts'
import type { Entry, Filled } from './payment/entry.ts'
import { NOTHING_FILLED, readEntry } from './payment/entry.ts'
import { type Scan, takenBy } from './payment/scan.ts'

/** The page of one attempt, in each of its states. */
export interface AttemptPage {
  /** The form; or, where strict mode would refuse the order, that it is paid. */
  form(scan: Scan, notice?: FormNotice): Promise<HttpResponse>
  /** The form again, for what was filled in cannot be charged, or not before the customer has seen the total. */
  formAgain(scan: Scan, filled: Filled, entry: Entry): HttpResponse
  result(payment: Payment, merchant: Merchant, query: string): HttpResponse
  /** The result for a browser that cannot come back to it, for it keeps no cookies. */
  resultOnce(payment: Payment, merchant: Merchant, query: string): HttpResponse
}

/** Without JavaScript a page that waits is loaded again every so many seconds. */
const REFRESH_SECONDS = 3

/** The attempt's address is two folders below the mount. */
const MOUNT = '../..'

export function attemptPage(till: Till, options: Checked, { page }: PageResponses): AttemptPage {
  const { money, texts, dates, methodFields } = options
  const script = `${MOUNT}/${SCRIPT_NAME}`
  const waiting = { script, refreshSeconds: REFRESH_SECONDS }

  function shown(
    scan: Scan,
    filled: Filled,
    entry: Entry,
    pressed: boolean,
    notice?: FormNotice,
  ): HttpResponse {
    const heading = `${texts.payTo} ${scan.merchant.name}`
    const content = payPage({ scan, filled, entry, pressed, notice, money, texts, methodFields })
    const status = pressed && entry.wrong.length > 0 ? 422 : 200
    return page(status, { title: heading, state: 'pay', script }, content)
  }

  function paid(scan: Scan): HttpResponse {
    const content = {
      status: 'completed',
      heading: texts.taken,
      more: texts.takenMore,
      facts: order(scan),
    } as const
    return page(200, { title: texts.taken, state: 'taken' }, messagePage(content))
  }

  function beingPaid(scan: Scan): HttpResponse {
    const { takenPending: heading, takenPendingMore: more } = texts
    const content = messagePage({ status: 'pending', heading, more, facts: order(scan) })
    return page(200, { title: heading, state: 'pending', ...waiting }, content)
  }

  function order({ merchant, parameters }: Scan): Html[] {
    return [fact(texts.merchant, merchant.name), fact(texts.order, parameters.merchantReference ?? '')]
  }

  function result(
    payment: Payment,
    merchant: Merchant,
    query: string,
    wait: Partial<Layout>,
    words: Texts = texts,
  ): HttpResponse {
    const again = `${MOUNT}/${payment.scanCode}${query === '' ? '' : `?${query}`}`
    const { status: state } = payment
    const heading = `${title({ payment, texts })} – ${merchant.name}`
    const layout = { title: heading, state, ...(state === 'pending' && wait) }
    return page(200, layout, resultPage({ payment, merchant, money, texts: words, dates, again }))
  }

  return {
    async form(scan, notice) {
      const taken = await takenBy(till, scan)
      if (taken === null)
        return shown(scan, NOTHING_FILLED, readEntry(NOTHING_FILLED, scan, money), false, notice)
      return taken === 'completed' ? paid(scan) : beingPaid(scan)
    },

    formAgain: (scan, filled, entry) => shown(scan, filled, entry, true),

    result: (payment, merchant, query) => result(payment, merchant, query, waiting),

    resultOnce(payment, merchant, query) {
      const { pendingForgetful: pendingMore } = texts
      return result(payment, merchant, query, {}, { ...texts, pendingMore })
    },
  }
}
