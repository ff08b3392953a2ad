import { type HttpRequest, type HttpResponse, readForm } from '@tillkit/http'
import type { Payment } from '@tillkit/till'
import type { AttemptPage } from './attempt-page.ts'
import type { Money } from './money/money.ts'
import { attemptKey } from './payment/attempt.ts'
import type { Charger } from './payment/charger.ts'
import { type Filled, readEntry } from './payment/entry.ts'
import type { Scan } from './payment/scan.ts'

const OURS = ['amount', 'tip', 'reference', 'total']

/** Room for the page's own fields and some of the host's. */
const FORM_LIMITS = { bytes: 16 * 1024, fields: 64 }

/** What came of a press: the page again, or the attempt's payment, started by this press or by one before. */
export type Pressed = { again: HttpResponse } | { payment: Payment; created: boolean }

/** The button was pressed: charges what the page showed, or shows the page again. */
export async function press(
  { charger, form, money }: { charger: Charger; form: AttemptPage; money: Money },
  scan: Scan,
  attempt: string,
  request: HttpRequest,
): Promise<Pressed> {
  const posted = Object.fromEntries(await readForm(request, FORM_LIMITS))
  const { amount = '', tip = '', reference = '', total = '' } = posted
  const filled: Filled = { amount, tip, reference, total }
  const entry = readEntry(filled, scan, money)
  if (!entry.agreed || entry.total === null) return { again: form.formAgain(scan, filled, entry) }

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
    { merchant, fields, request },
  )
}
