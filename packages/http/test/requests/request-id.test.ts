import { merchantApi, qrEndpoints, toFetch } from '@tillkit/http'
import { expect, test, vi } from 'vitest'
import { openTill, type Sent, send } from '../fixture.ts'

const { till, apiKey, code } = await openTill()
const api = merchantApi(till, { rateLimits: false })
const qr = qrEndpoints(till, { qrBaseUrl: 'https://pay.example.com', rateLimits: false })
const MADE = /^[A-Za-z0-9._-]{1,128}$/

const everything: [string, Promise<Record<string, string>>][] = [
  ...(
    [
      ['200', api, '/payments', { apiKey }],
      ['400', api, '/payments?page=x', { apiKey }],
      ['401', api, '/payments', {}],
      ['403', api, '/payments', { secure: false }],
      ['404', api, '/x', { apiKey }],
      ['405', api, '/payments', { apiKey, method: 'DELETE' }],
      ['414', api, `/payments?${'x'.repeat(9000)}`, { apiKey }],
      [
        'a preflight',
        api,
        '/payments',
        {
          method: 'OPTIONS',
          headers: { origin: 'https://a.example', 'access-control-request-method': 'GET' },
        },
      ],
      ['a page', qr, `/${code}`, {}],
      ['an image', qr, `/${code}.svg`, {}],
      ['304', qr, `/${code}.svg`, { headers: { 'if-none-match': '*' } }],
      ['an unknown code', qr, '/unknown', {}],
    ] as [string, typeof api, string, Sent][]
  ).map(([what, handler, target, sent]): [string, Promise<Record<string, string>>] => [
    what,
    send(handler, target, sent).then(({ headers }) => headers),
  ]),
  [
    'beside the mounts',
    toFetch({ '/v1': api })(new Request('https://pay.example.com/')).then(({ headers }) => ({
      'X-Request-Id': headers.get('X-Request-Id') ?? '',
    })),
  ],
]

test.each(everything)('%s has an id that no other response has', async (_, headers) => {
  const ids = await Promise.all(everything.map(async ([, each]) => (await each)['X-Request-Id']))
  const id = (await headers)['X-Request-Id']
  expect(id).toMatch(MADE)
  expect(ids.filter(other => other === id)).toHaveLength(1)
})

test.each(['a', 'A-z_0.9', 'x'.repeat(128)])('the request’s own is kept: %s', async id => {
  const headers = { 'x-request-id': id }
  for (const response of [
    await send(api, '/payments', { apiKey, headers }),
    await send(qr, '/unknown', { headers }),
  ]) {
    expect(response.headers['X-Request-Id']).toBe(id)
  }
  const beside = await toFetch({ '/v1': api })(new Request('https://pay.example.com/', { headers }))
  expect(beside.headers.get('X-Request-Id')).toBe(id)
})

test.each(['', ' a', 'a b', 'a\r\nSet-Cookie: b', 'é', 'x'.repeat(129), 'x'.repeat(1_000_000), 'a, b'])(
  'one that does not fit is not repeated',
  async id => {
    const response = await send(api, '/payments', { apiKey, headers: { 'x-request-id': id } })
    expect(response.headers['X-Request-Id']).toMatch(MADE)
    expect(response.headers['X-Request-Id']).not.toContain('x'.repeat(129))
  },
)

test('a fault has the id of its log line', async () => {
  const broken = await openTill()
  vi.spyOn(broken.till.payments, 'list').mockRejectedValue(new Error('no'))
  vi.spyOn(broken.till.scanCodes, 'get').mockRejectedValue(new Error('no'))
  const error = vi.fn()
  const logger = { error, warn() {} }
  const responses = [
    await send(merchantApi(broken.till, { logger }), '/payments', { apiKey: broken.apiKey }),
    await send(qrEndpoints(broken.till, { qrBaseUrl: 'https://a.example', logger }), `/${code}`),
  ]
  for (const [index, { status, headers }] of responses.entries()) {
    expect(status).toBe(500)
    expect(error.mock.calls[index]?.[0].requestId).toBe(headers['X-Request-Id'])
  }
})

test('a masked error of an adapter does, too', async () => {
  const error = vi.fn()
  const listen = toFetch(() => Promise.reject(new Error('hunter2')), { logger: { error } })
  const made = await listen(new Request('https://pay.example.com'))
  expect(made.headers.get('X-Request-Id')).toBe(error.mock.lastCall?.[0].requestId)
  const own = new Request('https://pay.example.com', { headers: { 'X-Request-Id': 'mine' } })
  expect((await listen(own)).headers.get('X-Request-Id')).toBe('mine')
  expect(error.mock.lastCall?.[0].requestId).toBe('mine')
})
