import type { Fault } from './of-forms.ts'
import { answerEmpty, changed, eachPayment, error, misheard, rewrite } from './plant.ts'

const local = (date: unknown) =>
  `${String(date).slice(0, 11)}${String((Number(String(date).slice(11, 13)) + 2) % 24).padStart(2, '0')}${String(date).slice(13, 19)}`

/** Faults of payments, cash ups and their periods. */
export const ofPayments: Fault[] = [
  [
    'null is left out',
    'payment-object',
    {
      api: eachPayment(payment =>
        Object.fromEntries(Object.entries(payment).filter(([, value]) => value !== null)),
      ),
    },
  ],
  [
    'extra is null where it is empty',
    'payment-object',
    {
      api: eachPayment(payment =>
        JSON.stringify(payment.extra) === '{}' ? { ...payment, extra: null } : undefined,
      ),
    },
  ],
  [
    'amounts as texts',
    'payment-object',
    { api: eachPayment(payment => ({ ...payment, totalAmount: String(payment.totalAmount) })) },
  ],
  [
    'amounts in units',
    'payment-object',
    { api: eachPayment(payment => ({ ...payment, totalAmount: Number(payment.totalAmount) / 100 })) },
  ],
  [
    'ids as texts',
    'payment-object',
    { api: eachPayment(payment => ({ ...payment, id: String(payment.id) })) },
  ],
  [
    'dates with an offset',
    'payment-object',
    { api: eachPayment(payment => ({ ...payment, date: `${local(payment.date)}+02:00` })) },
  ],
  [
    'dates with milliseconds',
    'payment-object',
    { api: eachPayment(payment => ({ ...payment, date: String(payment.date).replace('Z', '.000Z') })) },
  ],
  [
    'local dates that say they are UTC',
    'filter-dates',
    { api: eachPayment(payment => ({ ...payment, date: `${local(payment.date)}Z` })) },
  ],
  [
    '+ in dates',
    'payment-object',
    { api: eachPayment(payment => ({ ...payment, date: String(payment.date).replace('Z', '+00:00') })) },
  ],
  [
    'the auth code as a number',
    'payment-object',
    {
      api: eachPayment(payment =>
        payment.authCode === null ? undefined : { ...payment, authCode: Number(payment.authCode) },
      ),
    },
  ],
  [
    'an auth code for every payment',
    'payment-values',
    { api: eachPayment(payment => ({ ...payment, authCode: '000000' })) },
  ],
  [
    'the tip is missing from the total',
    'tips-in-total',
    {
      api: eachPayment(payment => ({
        ...payment,
        totalAmount: Number(payment.totalAmount) - Number(payment.tipAmount),
      })),
    },
  ],
  [
    'voucher flags are left out of one payment',
    'payment-object',
    {
      api: eachPayment(({ isVoucher, ...payment }, { path }) =>
        /\d$/.test(path) ? payment : { ...payment, isVoucher },
      ),
    },
  ],
  [
    'settled without being completed',
    'payment-values',
    {
      api: eachPayment(payment =>
        payment.status === 'error' ? { ...payment, statementReference: 'ST' } : undefined,
      ),
    },
  ],
  [
    'dates not in the order of ids',
    'dates-order',
    {
      api: eachPayment(payment =>
        payment.id === 100 ? { ...payment, date: '2020-01-01T00:00:00Z' } : undefined,
      ),
    },
  ],
  [
    'a payment by its id is another',
    'one-payment',
    {
      api: misheard(({ path }) => ({ path: path === '/payments/130' ? '/payments/129' : path })),
    },
  ],
  [
    'payment 01 is payment 1',
    'unknown-payments',
    { api: misheard(({ path }) => ({ path: path.replace('/payments/01', '/payments/1') })) },
  ],
  [
    'a payment that is none is 400',
    'unknown-payments',
    {
      api: changed((response, { path }) =>
        path === '/payments/x' && response.status === 404 ? error(400, 'invalid_parameter') : undefined,
      ),
    },
  ],
  [
    'a payment that there is not is null',
    'unknown-payments',
    {
      api: changed((response, { path }) => {
        if (response.status !== 404 || !/^\/payments\/\d+$/.test(path)) return
        response.status = 200
        rewrite(response, () => null)
      }),
    },
  ],
  [
    'an unknown cash up is empty',
    'unknown-cash-ups',
    {
      api: changed((response, { path }) => {
        if (response.status === 404 && path.startsWith('/payments/cash_ups/')) {
          response.status = 200
          rewrite(response, () => [])
        }
      }),
    },
  ],
  [
    'cash ups oldest first',
    'cash-ups-order',
    {
      api: changed((response, { path }) => {
        if (path === '/cash_ups' && response.status === 200)
          rewrite(response, body => (body as unknown[]).toReversed())
      }),
    },
  ],
  [
    'references in capitals',
    'cash-up-object',
    {
      api: changed((response, { path }) => {
        if (path === '/cash_ups' && response.status === 200) {
          rewrite(response, body =>
            (body as { reference: string }[]).map(one => ({
              ...one,
              reference: one.reference.toUpperCase(),
            })),
          )
        }
      }),
    },
  ],
  ['a cash up lists pending payments', 'filters-hold', { api: inPeriods('pending') }],
  ['a cash up lists failed payments', 'filters-hold', { api: inPeriods('error') }],
  [
    'a cash up leaves out a payment',
    'periods',
    {
      api: changed((response, { path }) => {
        if (path.startsWith('/payments/cash_ups/') && response.status === 200) {
          const total = Number(response.headers['X-Total'])
          if (total < 10) return
          response.headers['X-Total'] = String(total - 1)
          rewrite(response, body => (body as unknown[]).toSpliced(3, 1))
        }
      }),
    },
  ],
  [
    'a period with pending payments is answered',
    'not-ready',
    {
      api: changed(response => {
        if (response.status !== 500) return
        answerEmpty(response, 1)
      }),
    },
  ],
  [
    'not ready is 503',
    'no-internal-error',
    {
      api: changed(response => {
        if (response.status === 500) response.status = 503
        delete response.headers['Retry-After']
      }),
    },
  ],
  [
    'a second cash up for the same Idempotency-Key',
    'creating-cash-ups',
    {
      api: misheard(({ headers }) => ({
        headers:
          headers['idempotency-key']?.length === 36 ? { ...headers, 'idempotency-key': undefined } : headers,
      })),
    },
    { destructive: true },
  ],
  [
    'one cash up for all Idempotency-Keys',
    'creating-cash-ups',
    {
      api: misheard(({ headers }) => ({
        headers: headers['idempotency-key'] ? { ...headers, 'idempotency-key': 'one' } : headers,
      })),
    },
    { destructive: true },
  ],
  [
    'an Idempotency-Key of any length',
    'creating-cash-ups',
    {
      api: misheard(({ headers }) => ({
        headers: { ...headers, 'idempotency-key': headers['idempotency-key']?.slice(0, 200) },
      })),
    },
    { destructive: true },
  ],
]

/** Cash ups that show their completed payments as something else. */
function inPeriods(status: string) {
  return eachPayment((payment, { path }) =>
    path.startsWith('/payments/cash_ups/') && Number(payment.id) % 9 === 0
      ? { ...payment, status }
      : undefined,
  )
}
