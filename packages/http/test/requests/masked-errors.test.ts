import { keyedApi, merchantApi, qrEndpoints } from '@tillkit/http'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill, TillError } from '@tillkit/till'
import { expect, test, vi } from 'vitest'
import { openTill, parsed, send } from '../fixture.ts'

const secret = new Error('connect ECONNREFUSED postgres://user:hunter2@db')
const qrBaseUrl = 'https://pay.example.com'

test('what is not the caller’s fault is masked, and logged without headers', async () => {
  const { till, apiKey } = await openTill()
  vi.spyOn(till.payments, 'get').mockRejectedValue(secret)
  const error = vi.fn()
  const api = merchantApi(till, { logger: { error, warn() {} } })
  const response = await send(api, '/payments/1?x=1', { apiKey, headers: { origin: 'https://a.example' } })
  expect(response.status).toBe(500)
  expect(parsed(response)).toEqual({ message: 'Internal server error', code: 'internal' })
  expect(response.headers['Access-Control-Allow-Origin']).toBe('*')
  expect(response.headers).not.toHaveProperty('Retry-After')
  expect(error).toHaveBeenCalledExactlyOnceWith(
    { requestId: response.headers['X-Request-Id'], err: secret, method: 'GET', path: '/payments/1' },
    'request failed',
  )
})

test('a failing authentication is masked, and of a long path its beginning is logged', async () => {
  const { till, apiKey } = await openTill()
  const error = vi.fn()
  const logger = { error, warn() {} }
  const api = merchantApi({ ...till, authenticate: () => Promise.reject(secret) }, { logger })
  expect((await send(api, '/'.padEnd(5000, 'x'), { apiKey })).status).toBe(500)
  expect(error.mock.lastCall?.[0].path).toBe('/'.padEnd(1024, 'x'))
})

test('without a logger it is still masked', async () => {
  const { till, apiKey } = await openTill()
  vi.spyOn(till.payments, 'list').mockRejectedValue(undefined)
  expect((await send(merchantApi(till), '/payments', { apiKey })).status).toBe(500)
})

test.each([
  ['invalid_input', 400, 'invalid_parameter', '/payments/1'],
  ['not_found', 404, 'not_found', '/payments/1'],
  ['not_ready', 500, 'not_ready', '/payments/cash_ups/0'],
] as const)('%s is %d and shown', async (code, status, shown, target) => {
  const { till, apiKey } = await openTill()
  const refused = new TillError(code, 'what was wrong')
  vi.spyOn(till.payments, 'get').mockRejectedValue(refused)
  vi.spyOn(till.cashUps, 'payments').mockRejectedValue(refused)
  const error = vi.fn()
  const response = await send(merchantApi(till, { logger: { error, warn() {} } }), target, { apiKey })
  expect([response.status, parsed(response)]).toEqual([status, { message: 'what was wrong', code: shown }])
  expect(error).not.toHaveBeenCalled()
})

test.each([
  ['POST', '/cash_ups'],
  ['GET', '/payments'],
])('a clock of the host’s that says no time is no fault of the caller’s: %s %s', async (method, target) => {
  const time = { now: new Date() }
  const till = createTill({
    storage: memoryStorage(),
    rememberSeconds: 0,
    logger: false,
    clock: () => time.now,
  })
  const { id } = await till.merchants.create({ name: 'Corner Café' })
  const { apiKey } = await till.apiKeys.issue(id, { expiresAt: new Date(Date.now() + 86_400_000) })
  const error = vi.fn()
  const api = merchantApi(till, { logger: { error, warn() {} } })
  time.now = new Date(Number.NaN)
  const response = await send(api, target, { apiKey, method })
  expect([response.status, parsed(response)]).toEqual([
    500,
    { message: 'Internal server error', code: 'internal' },
  ])
  const err = expect.objectContaining({ message: expect.stringMatching(/^clock must return a valid Date/) })
  expect(error).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ err }), 'request failed')
})

test('a conflict, which only further routes have, is 409 and shown', async () => {
  const { till, apiKey } = await openTill()
  const described = {
    operationId: 'make',
    summary: 'Makes',
    description: 'Makes it.',
    tag: 'Made',
    answers: [],
  }
  const endpoint = () => Promise.reject(new TillError('conflict', 'it is made'))
  const routes = [{ ...described, method: 'POST', path: '/made', endpoint }] as const
  const api = keyedApi({ authenticate: till.authenticate, tillOf: () => till, routes, logger: till.logger })
  const response = await send(api, '/made', { apiKey, method: 'POST' })
  expect([response.status, parsed(response)]).toEqual([409, { message: 'it is made', code: 'conflict' }])
})

test('QR endpoints mask too, whatever fails', async () => {
  const { till, code } = await openTill()
  const error = vi.fn()
  const logger = { error, warn() {} }
  const target = `/${code}`
  const broken = [
    qrEndpoints(
      { ...till, scanCodes: { ...till.scanCodes, get: () => Promise.reject(secret) } },
      { qrBaseUrl, logger },
    ),
    qrEndpoints(till, { qrBaseUrl, logger, onScan: () => Promise.reject(secret) }),
    qrEndpoints(till, {
      qrBaseUrl,
      logger,
      onScan: () => {
        throw secret
      },
    }),
    qrEndpoints(till, { qrBaseUrl, logger, onScan: () => undefined as never }),
  ]
  for (const qr of broken) {
    const response = await send(qr, target)
    expect([response.status, parsed(response)]).toEqual([
      500,
      { message: 'Internal server error', code: 'internal' },
    ])
  }
  expect(error).toHaveBeenCalledTimes(4)
})
