import type { HttpResponse } from '@tillkit/http'
import type { Merchant, Payment, Till } from '@tillkit/till'
import type { Checked } from './options.ts'
import type { PageResponses } from './page-response.ts'
import { fact } from './pages/facts.ts'
import type { Html } from './pages/html.ts'
import type { Layout } from './pages/layout.ts'
import { messagePage } from './pages/message-page.ts'
import { type FormNotice, payPage } from './pages/pay-page.ts'
import { type ResultView, resultPage, title } from './pages/result-page.ts'
import { SCRIPT_NAME } from './pages/script.ts'
import { stepPage } from './pages/step-page.ts'
import { filled as fill, type Texts } from './pages/texts.ts'
import type { Entry, Filled } from './payment/entry.ts'
import { NOTHING_FILLED, readEntry } from './payment/entry.ts'
import { type Scan, takerOf } from './payment/scan.ts'
import { KEPT_DAYS } from './payment/visitor.ts'
import { withQuery } from './relative.ts'
import type { KnownShop } from './shop/shop.ts'
import type { Standing } from './standing/standings.ts'
import type { CustomerStep } from './standing/step.ts'

/** Where a customer pays: in whose shop, and where the way back leads. */
export interface Counter {
  merchant: Merchant
  shop: KnownShop
  /** Null for nowhere. */
  back: string | null
}

/** The attempt's page itself, with its raw query. */
interface Here {
  attempt: string
  query: string
}

/** The page of one attempt, in each of its states. */
export interface AttemptPage {
  /** The form; or, where strict mode would refuse the order, that it is paid. */
  form(scan: Scan, counter: Counter, notice?: FormNotice): Promise<HttpResponse>
  /** The form again, for what was filled in cannot be charged, or not before the customer has seen the total. */
  formAgain(scan: Scan, counter: Counter, filled: Filled, entry: Entry): HttpResponse
  /** How the payment stands: its result, or what the customer has to do elsewhere first. */
  result(standing: Standing, counter: Counter, here: Here): Promise<HttpResponse>
  /** The same for a browser that cannot come back to it, for it keeps no cookies. */
  resultOnce(standing: Standing, counter: Counter, here: Here): HttpResponse
  /** The receipt of a completed payment as a file. */
  receipt(payment: Payment, counter: Counter): HttpResponse
}

/** A payment whose customer has to do something elsewhere. */
type Stepping = Standing & { step: CustomerStep }

/** Without JavaScript a page that waits is loaded again every so many seconds. */
const REFRESH_SECONDS = 3
/** One with a button to press leaves more time to. */
const STEP_REFRESH_SECONDS = 10

/** The attempt's address is two folders below the mount. */
const MOUNT = '../..'

export function attemptPage(till: Till, options: Checked, { page }: PageResponses): AttemptPage {
  const { money, texts, percent, dates, methodFields, watchSeconds } = options
  const script = `${MOUNT}/${SCRIPT_NAME}`
  const waiting = { script, refreshSeconds: REFRESH_SECONDS }

  function shown(
    scan: Scan,
    { shop, back }: Counter,
    filled: Filled,
    entry: Entry,
    { pressed, notice }: { pressed: boolean; notice?: FormNotice | undefined },
  ): HttpResponse {
    const heading = `${texts.payTo} ${scan.merchant.name}`
    const form = { scan, shop, filled, entry, pressed, notice, back }
    const content = payPage({ ...form, money, texts, percent, methodFields })
    const status = pressed && (entry.wrong.length > 0 || entry.tooLow) ? 422 : 200
    return page(status, { title: heading, state: 'pay', script }, content)
  }

  function paid(scan: Scan, { back }: Counter): HttpResponse {
    const content = {
      status: 'completed',
      heading: texts.taken,
      more: texts.takenMore,
      facts: order(scan),
      ...(back && { link: { href: back, text: fill(texts.back, { merchant: scan.merchant.name }) } }),
    } as const
    return page(200, { title: texts.taken, state: 'taken' }, messagePage(content))
  }

  async function beingPaid(payment: Payment, scan: Scan): Promise<HttpResponse> {
    if (await isWaited(payment)) {
      const { waited: heading, waitedMore: more } = texts
      const link = { href: '', text: texts.look }
      const content = messagePage({ status: 'note', heading, more, facts: order(scan), link })
      return page(200, { title: heading, state: 'waited' }, content)
    }
    const { takenPending: heading, takenPendingMore: more } = texts
    const content = messagePage({ status: 'pending', heading, more, facts: order(scan) })
    return page(200, { title: heading, state: 'pending', ...waiting }, content)
  }

  function order({ merchant, parameters }: Scan): Html[] {
    return [fact(texts.merchant, merchant.name), fact(texts.order, parameters.merchantReference ?? '')]
  }

  /** Whether an outcome has been waited for long enough. */
  async function isWaited({ status, date }: Payment): Promise<boolean> {
    return status === 'pending' && (await till.now()).getTime() - Date.parse(date) > watchSeconds * 1000
  }

  function step(
    { payment, step }: Stepping,
    { merchant, back }: Counter,
    words: Texts,
    layout: Partial<Layout> = {},
  ): HttpResponse {
    const heading = `${texts.step} – ${merchant.name}`
    const content = stepPage({ payment, step, merchant, back, money, texts: words })
    const postsTo = step.status === 'action' ? new URL(step.url).origin : undefined
    return page(200, { title: heading, state: 'step', ...layout }, content, postsTo)
  }

  function result(
    { payment, disputed }: Omit<Standing, 'step'>,
    { merchant, shop, back }: Counter,
    own: Pick<ResultView, 'again' | 'receipt' | 'keep' | 'waited'> & Partial<Pick<ResultView, 'texts'>>,
    layout: Partial<Layout> = {},
  ): HttpResponse {
    const { status } = payment
    const heading = `${title({ payment, disputed, texts, waited: own.waited })} – ${merchant.name}`
    const state = own.waited ? 'waited' : status
    const view = { payment, disputed, merchant, back, money, texts, dates: dates(shop.timeZone), ...own }
    return page(200, { title: heading, state, ...layout }, resultPage(view))
  }

  return {
    async form(scan, counter, notice) {
      const taker = await takerOf(till, scan)
      if (taker !== null) return taker.status === 'completed' ? paid(scan, counter) : beingPaid(taker, scan)
      const entry = readEntry(NOTHING_FILLED, scan, counter.shop, money)
      return shown(scan, counter, NOTHING_FILLED, entry, { pressed: false, notice })
    },

    formAgain: (scan, counter, filled, entry) => shown(scan, counter, filled, entry, { pressed: true }),

    async result(standing, counter, { attempt, query }) {
      // Whoever has something to do is told so for as long as it is to be done.
      if (hasStep(standing))
        return step(standing, counter, texts, { script, refreshSeconds: STEP_REFRESH_SECONDS })
      const { payment } = standing
      const waited = await isWaited(payment)
      const wait = payment.status === 'pending' && !waited ? waiting : {}
      const completed = payment.status === 'completed'
      const own = {
        again: again(payment, query),
        receipt: completed ? withQuery(`${attempt}/receipt`, query) : null,
        keep: completed ? fill(texts.keep, { days: String(KEPT_DAYS) }) : null,
        waited,
      }
      return result(standing, counter, own, wait)
    },

    resultOnce(standing, counter, { query }) {
      const { pendingForgetful: pendingMore, stepForgetful: stepMore, keepNow } = texts
      const words = { ...texts, pendingMore, stepMore }
      if (hasStep(standing)) return step(standing, counter, words)
      const { payment } = standing
      const keep = payment.status === 'completed' ? keepNow : null
      const own = { again: again(payment, query), receipt: null, keep, waited: false, texts: words }
      return result(standing, counter, own)
    },

    receipt(payment, { merchant, shop }) {
      const own = { again: null, receipt: null, keep: null, waited: false }
      const file = result({ payment, disputed: false }, { merchant, shop, back: null }, own, {
        title: `${texts.receipt} – ${merchant.name}`,
        kept: true,
      })
      const name = `receipt-${payment.date.replace(/\D/g, '')}.html`
      const headers = { ...file.headers, 'Content-Disposition': `attachment; filename="${name}"` }
      return { ...file, headers }
    },
  }
}

function again({ scanCode }: Payment, query: string): string {
  return withQuery(`${MOUNT}/${scanCode}`, query)
}

function hasStep(standing: Standing): standing is Stepping {
  return standing.step !== null
}
