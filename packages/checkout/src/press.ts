import { Buffer } from 'node:buffer'
import type { HttpRequest, HttpResponse } from '@tillkit/http'
import type { AttemptPage } from './attempt-page.ts'
import type { Money } from './money/money.ts'
import { attemptKey } from './payment/attempt.ts'
import type { Charger } from './payment/charger.ts'
import { type Filled, readEntry } from './payment/entry.ts'
import type { Scan } from './payment/scan.ts'

const OURS = ['amount', 'tip', 'reference', 'total']

/**
 * The button was pressed: charges what the page showed, or shows the page again. Null once the attempt has its payment,
 * whether this press started it or one before.
 */
export async function press(
  { charger, form, money }: { charger: Charger; form: AttemptPage; money: Money },
  scan: Scan,
  attempt: string,
  request: HttpRequest,
): Promise<HttpResponse | null> {
  const posted = Object.fromEntries(new URLSearchParams(Buffer.from(await request.body()).toString()))
  const { amount = '', tip = '', reference = '', total = '' } = posted
  const filled: Filled = { amount, tip, reference, total }
  const entry = readEntry(filled, scan, money)
  if (!entry.agreed || entry.total === null) return form.formAgain(scan, filled, entry)

  const { merchant, parameters } = scan
  const fields = Object.fromEntries(Object.entries(posted).filter(([name]) => !OURS.includes(name)))
  await charger.pay(
    {
      ...parameters,
      totalAmount: entry.total,
      tipAmount: entry.tip,
      userReference: entry.reference,
      attemptKey: attemptKey(parameters.scanCode, attempt),
    },
    { merchant, fields, request },
  )
  return null
}
