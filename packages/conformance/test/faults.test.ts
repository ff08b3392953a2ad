import { checkConformance } from '@tillkit/conformance'
import { expect, test } from 'vitest'
import { ofAccess } from './faults/of-access.ts'
import { ofCodes } from './faults/of-codes.ts'
import { ofForms } from './faults/of-forms.ts'
import { ofLists } from './faults/of-lists.ts'
import { ofPayments } from './faults/of-payments.ts'
import { ofQueries } from './faults/of-queries.ts'
import { ofRecords } from './faults/of-records.ts'
import { openScene } from './scene.ts'

/** Checks whose questions together bring every kind of answer, for the rules that each answer is held to. */
const BROAD = [
  ...[
    'credentials',
    'request-ids-echoed',
    'slashes-and-heads',
    'unknown-paths',
    'other-methods',
    'preflights',
  ],
  ...['pages-of-payments', 'filter-scanCode', 'filter-userReference', 'filter-dates', 'filter-status'],
  ...['one-payment', 'periods', 'not-ready', 'pages-of-cash-ups'],
]

const ofChecks =
  /^(filter|pages|qr|tips|unknown|other)-|^(credentials|preflights|authentication-first|slashes-and-heads|sizes)$|^(filters-together|auth-codes|invalid-parameters|one-payment|periods|not-ready|creating-cash-ups|payment-page)$/

test.each([...ofForms, ...ofLists, ...ofPayments, ...ofCodes, ...ofAccess, ...ofQueries, ...ofRecords])(
  '%s: %s',
  async (_, name, between, options) => {
    const { url, qrUrl, key } = await openScene(between)
    const only = ofChecks.test(name) ? [name] : between.qr ? ['qr-refusals'] : BROAD
    const report = await checkConformance({ url, qrUrl, key, only, requestsPerSecond: 5000, ...options })
    const found = report.checks.find(check => check.name === name)
    expect(found?.status).toBe('differs')
    for (const { request } of found?.differences ?? []) expect(request).toMatch(/^curl|^GET|^[0-9a-f]{32}/)
  },
)
