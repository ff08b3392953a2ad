import { merchantApi, qrEndpoints } from '@tillkit/http'
import { openApiDocument } from '@tillkit/openapi'
import { DatabaseError } from '@tillkit/storage'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, test, vi } from 'vitest'
import { openTill, parsed, send } from '../../http/test/fixture.ts'

const { paths } = openApiDocument({ serverUrl: 'https://pay.example.org/v1' })

/** The error object that the document shows for a status and a code. */
function shown(path: string, method: string, status: number, code: string) {
  return Object(paths)[path][method].responses[status].content['application/json'].examples[code].value
}

const { till, merchant, apiKey, pay } = await openTill()
const api = merchantApi(till, { rateLimits: false })
const qr = qrEndpoints(till, { qrBaseUrl: 'https://pay.example.org', rateLimits: false })
await pay()
const { reference } = await till.cashUps.create(merchant.id)
const zeros = '0'.repeat(32)
const many = 'x=1&'.repeat(101)

test.each([
  ['/payments', 'get', 400, 'invalid_parameter', '/payments?startDate=yesterday', { apiKey }],
  ['/payments', 'get', 401, 'unauthorised', '/payments', {}],
  ['/payments', 'get', 403, 'https_required', '/payments', { secure: false }],
  ['/payments', 'get', 414, 'invalid_parameter', `/payments?${'x'.repeat(8193)}`, { apiKey }],
  ['/payments/{id}', 'get', 400, 'invalid_parameter', `/payments/1?${many}`, { apiKey }],
  ['/payments/{id}', 'get', 404, 'not_found', '/payments/9', { apiKey }],
  [
    '/payments/cash_ups/{reference}',
    'get',
    400,
    'invalid_parameter',
    `/payments/cash_ups/${zeros}?perPage=0`,
    { apiKey },
  ],
  ['/payments/cash_ups/{reference}', 'get', 404, 'not_found', `/payments/cash_ups/${zeros}`, { apiKey }],
  ['/payments/cash_ups/{reference}', 'get', 500, 'not_ready', `/payments/cash_ups/${reference}`, { apiKey }],
  ['/cash_ups', 'get', 400, 'invalid_parameter', '/cash_ups?perPage=0', { apiKey }],
  [
    '/cash_ups',
    'post',
    400,
    'invalid_parameter',
    '/cash_ups',
    { apiKey, headers: { 'idempotency-key': '' }, method: 'POST' },
  ],
  ['/qr/{scanCode}', 'get', 400, 'invalid_parameter', '/table-1?amount=x', {}],
  ['/qr/{scanCode}', 'get', 404, 'not_found', '/nothing', {}],
  ['/qr/{scanCode}.png', 'get', 400, 'invalid_parameter', '/table-1.png?scan_code_size=5', {}],
] as const)(
  '%s %s: the example of %i %s is what is answered',
  async (path, method, status, code, target, sent) => {
    const authorization = 'apiKey' in sent ? sent.apiKey : undefined
    const headers = 'headers' in sent ? sent.headers : {}
    const given = { ...sent, headers, ...(authorization !== undefined && { apiKey: authorization }) }
    const response = await send(path.startsWith('/qr') ? qr : api, target, given)
    expect([response.status, parsed(response)]).toEqual([status, shown(path, method, status, code)])
  },
)

test('so are those of faults, of a database that is away, of limits and of suspended accounts', async () => {
  const get = async (handler = api) => {
    const response = await send(handler, '/payments', { apiKey })
    return [response.status, parsed(response)]
  }
  const list = vi.spyOn(till.payments, 'list')
  list.mockRejectedValueOnce(new Error('x'))
  expect(await get()).toEqual([500, shown('/payments', 'get', 500, 'internal')])
  list.mockRejectedValueOnce(new DatabaseError('x'))
  expect(await get()).toEqual([503, shown('/payments', 'get', 503, 'unavailable')])
  const limited = merchantApi(till)
  let last = await get(limited)
  for (let i = 0; i < 1000 && last[0] !== 429; i++) last = await get(limited)
  expect(last).toEqual([429, shown('/payments', 'get', 429, 'rate_limited')])
  await till.merchants.suspend(merchant.id)
  expect(await get()).toEqual([403, shown('/payments', 'get', 403, 'suspended')])
})

test('the examples of success are of the form that the document describes', async () => {
  const document = openApiDocument({ serverUrl: 'https://pay.example.org/v1' })
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema(document, 'document')
  const successes = Object.entries(paths).flatMap(([path, item]) =>
    ['get', 'post'].flatMap(method => {
      const success = Object(item)[method]?.responses[200].content?.['application/json']
      return success === undefined ? [] : [{ path, method, example: success.example }]
    }),
  )
  expect(successes).toHaveLength(5)
  for (const { path, method, example } of successes) {
    const place = `/paths/${encodeURIComponent(path.replaceAll('/', '~1'))}/${method}/responses/200/content/application~1json/schema`
    expect([path, ajv.compile({ $ref: `document#${place}` })(example)]).toEqual([path, true])
  }
})
