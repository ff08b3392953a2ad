import type { HttpRequest } from '@tillkit/http'
import { PNG } from 'pngjs'
import type { Fault } from './of-forms.ts'
import {
  type Around,
  answerEmpty,
  changed,
  eachList,
  eachPayment,
  isList,
  misheard,
  rewrite,
  withHeader,
} from './plant.ts'

/** PNGs whose pixels are painted anew. */
const painted = (paint: (pixel: Buffer) => void): Around =>
  changed((response, { path, method }) => {
    if (!path.endsWith('.png') || method === 'HEAD' || !(response.body instanceof Uint8Array)) return
    const picture = PNG.sync.read(Buffer.from(response.body))
    for (let i = 0; i < picture.data.length; i += 4) paint(picture.data.subarray(i, i + 4))
    const body = PNG.sync.write(picture)
    return { ...response, body, headers: { ...response.headers, 'Content-Length': String(body.length) } }
  })

/** Faults of payments, cash ups and images. */
export const ofRecords: Fault[] = [
  [
    'null is left out in lists alone',
    'payment-object',
    {
      api: eachList(list =>
        list.map(payment =>
          Object.fromEntries(Object.entries(payment).filter(([, value]) => value !== null)),
        ),
      ),
    },
  ],
  [
    'flags as numbers',
    'payment-object',
    { api: eachPayment(payment => ({ ...payment, isVoucher: Number(payment.isVoucher) })) },
  ],
  [
    'statuses in capitals',
    'payment-object',
    { api: eachPayment(payment => ({ ...payment, status: String(payment.status).toUpperCase() })) },
  ],
  [
    'an auth code of completed payments alone',
    'payment-values',
    {
      api: eachPayment(payment =>
        payment.status === 'completed' ? undefined : { ...payment, authCode: null },
      ),
    },
  ],
  [
    'one auth code for all',
    'auth-codes',
    {
      api: eachPayment(payment =>
        payment.authCode === null ? undefined : { ...payment, authCode: '123456' },
      ),
    },
  ],
  [
    'the auth code is the id',
    'auth-codes',
    {
      api: eachPayment(payment =>
        payment.authCode === null ? undefined : { ...payment, authCode: String(payment.id).padStart(6, '0') },
      ),
    },
  ],
  [
    'dates by the id are local',
    'one-payment',
    {
      api: eachPayment((payment, { path }) =>
        isList({ path } as HttpRequest)
          ? undefined
          : { ...payment, date: String(payment.date).replace(/T\d\d/, 'T05') },
      ),
    },
  ],
  [
    'the payments of others follow the last one',
    'unknown-payments',
    {
      api: handler => async request => {
        const id = Number(/^\/payments\/(\d{3})$/.exec(request.path)?.[1])
        if (!(id > 130)) return handler(request)
        const response = await misheard(() => ({ path: '/payments/1' }))(handler)(request)
        rewrite(response, body => ({ ...(body as object), id }))
        return response
      },
    },
  ],
  [
    'a payment by its merchant reference',
    'unknown-payments',
    { api: misheard(({ path }) => ({ path: path.replace(/\/payments\/order-\d+/, '/payments/3') })) },
  ],
  [
    'after its first page a period with pending payments is answered',
    'not-ready',
    {
      api: changed((response, { query }) => {
        if (response.status !== 500 || !/page=2/.test(query)) return
        answerEmpty(response, 2)
      }),
    },
  ],
  [
    'a cash up is 201',
    'creating-cash-ups',
    {
      api: changed((response, { method }) => {
        if (method === 'POST' && response.status === 200) response.status = 201
      }),
    },
    { destructive: true },
  ],
  [
    'a cash up has another date in the list',
    'creating-cash-ups',
    {
      api: changed((response, { method }) => {
        if (method !== 'POST' || response.status !== 200) return
        rewrite(response, body => ({ ...(body as object), date: '2026-01-01T00:00:00Z' }))
      }),
    },
    { destructive: true },
  ],
  [
    'an Idempotency-Key whatever its case',
    'creating-cash-ups',
    {
      api: misheard(({ headers }) => ({
        headers: headers['idempotency-key']
          ? { ...headers, 'idempotency-key': headers['idempotency-key'].toLowerCase() }
          : headers,
      })),
    },
    { destructive: true },
  ],
  [
    'of an Idempotency-Key the first 128 characters',
    'creating-cash-ups',
    {
      api: misheard(({ headers }) => ({
        headers:
          headers['idempotency-key']?.length === 255
            ? { ...headers, 'idempotency-key': headers['idempotency-key'].slice(0, 128) }
            : headers,
      })),
    },
    { destructive: true },
  ],
  [
    'images of 150 pixels where no size is asked for',
    'qr-images',
    {
      qr: misheard(({ path, query }) => ({
        query: /\.\w+$/.test(path) && !query.includes('size') ? `${query}&scan_code_size=150` : query,
      })),
    },
  ],
  [
    'a PNG where an SVG was asked for',
    'qr-images',
    { qr: misheard(({ path }) => ({ path: path.replace('.svg', '.png') })) },
  ],
  [
    'white on black',
    'qr-images',
    {
      qr: painted(pixel => {
        for (const i of [0, 1, 2]) pixel[i] = 255 - (pixel[i] as number)
      }),
    },
  ],
  [
    '304 whatever one has',
    'qr-caching',
    {
      qr: changed((response, { headers }) => {
        if (headers['if-none-match'] && response.status === 200)
          return { ...response, status: 304, body: null }
      }),
    },
  ],
  ['images are private', 'qr-caching', { qr: withHeader('Cache-Control', 'private, max-age=86400') }],
]
