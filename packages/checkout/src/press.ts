import { type HttpRequest, type HttpResponse, readForm } from '@tillkit/http'
import type { Payment } from '@tillkit/till'
import type { AttemptPage, Counter } from './attempt-page.ts'
import type { Money } from './money/money.ts'
import { attemptKey } from './payment/attempt.ts'
import type { Charger } from './payment/charger.ts'
import { type Filled, readEntry, withMeanings } from './payment/entry.ts'
import type { Scan } from './payment/scan.ts'

const OURS = ['amount', 'tip', 'tip-choice', 'reference', 'total', 'amount-meant', 'tip-meant']

/** Room for the page's own fields and some of the host's. */
const FORM_LIMITS = { bytes: 16 * 1024, fields: 64 }

/** What a press works with. */
interface Pressing {
  charger: Charger
  form: AttemptPage
  money: Money
  /** Where the customer comes back to from elsewhere. */
  returnUrl: string
}

/** What came of a press: the page again, or the attempt's payment, started by this press or by one before. */
export type Pressed = { again: HttpResponse } | { payment: Payment; created: boolean }

/** The button was pressed: charges what the page showed, or shows the page again. */
export async function press(
  { charger, form, money, returnUrl }: Pressing,
  scan: Scan,
  counter: Counter,
  attempt: string,
  request: HttpRequest,
): Promise<Pressed> {
  const posted = Object.fromEntries(await readForm(request, FORM_LIMITS))
  const filled = withMeanings(filledIn(posted), money)
  const entry = readEntry(filled, scan, counter.shop, money)
  if (!entry.agreed || entry.total === null) return { again: form.formAgain(scan, counter, filled, entry) }

  const { merchant, parameters } = scan
  const fields = Object.fromEntries(Object.entries(posted).filter(([name]) => !OURS.includes(name)))
  return charger.payOnce(
    {
      ...parameters,
      totalAmount: entry.total,
      tipAmount: entry.tip,
      userReference: entry.reference,
      attemptKey: attemptKey(parameters.scanCode, attempt),
    },
    { merchant, fields, request, returnUrl },
  )
}

function filledIn(posted: Record<string, string>): Filled {
  const { amount = '', tip = '', reference = '', total = '' } = posted
  const {
    'tip-choice': tipChoice = '',
    'amount-meant': amountMeant = '',
    'tip-meant': tipMeant = '',
  } = posted
  return { amount, tip, tipChoice, reference, total, amountMeant, tipMeant }
}
