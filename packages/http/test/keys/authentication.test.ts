import { keyedApi, merchantApi } from '@tillkit/http'
import { expect, test, vi } from 'vitest'
import { basic, openTill, parsed, send, untouchable } from '../fixture.ts'

const { till, apiKey, merchant } = await openTill()
const api = merchantApi(till, { rateLimits: false })
const base64 = (text: string) => Buffer.from(text).toString('base64')

test('the key as the user name and an empty password authenticate', async () => {
  expect((await send(api, '/payments', { apiKey })).status).toBe(200)
})

test.each([[`basic ${base64(`${apiKey}:`)}`], [`BASIC  ${base64(`${apiKey}:`)}`]])(
  'the scheme is read as RFC 9110 has it: %s',
  async authorization => {
    expect((await send(api, '/payments', { headers: { authorization } })).status).toBe(200)
  },
)

test.each([
  ['nothing', undefined],
  ['an empty header', ''],
  ['a scheme alone', 'Basic'],
  ['another scheme', `Bearer ${apiKey}`],
  ['the key as it is', `Basic ${apiKey}`],
  ['a password', basic(apiKey, 'secret')],
  ['a colon as password', basic(apiKey, ':')],
  ['no colon', `Basic ${base64(apiKey)}`],
  ['an empty key', `Basic ${base64(':')}`],
  ['another key', basic(`${apiKey.slice(0, -1)}${apiKey.endsWith('0') ? '1' : '0'}`)],
  ['a key in other case', basic(apiKey.toUpperCase())],
  ['a space before the key', basic(` ${apiKey}`)],
  ['base64 without padding', `${basic(`${apiKey}`).replace(/=+$/, '')}=`],
  ['base64 with other characters', `Basic *${base64(`${apiKey}:`)}`],
  ['base64 with a character too many', `${basic(apiKey)}A`],
  ['two', `${basic(apiKey)}, ${basic(apiKey)}`],
  ['bytes that are no UTF-8', `Basic ${Buffer.from([0xff, 0xfe, 0x3a]).toString('base64')}`],
  ['a NUL', basic(`${apiKey}\0`)],
])('%s is 401', async (_, authorization) => {
  const response = await send(api, '/payments', { headers: { authorization } })
  expect(response.status).toBe(401)
  expect(response.headers['WWW-Authenticate']).toBe('Basic realm="Tillkit", charset="UTF-8"')
  expect(parsed(response)).toEqual({ message: 'Unauthorised', code: 'unauthorised' })
})

test('keys of a host’s own may be long, and what is longer than any, or empty, is not looked up', async () => {
  const authenticate = vi.fn(async () => merchant)
  const own = keyedApi({ authenticate, tillOf: () => till, logger: till.logger })
  expect((await send(own, '/payments', { apiKey: 'k'.repeat(700) })).status).toBe(200)
  expect((await send(own, '/payments', { apiKey: 'k'.repeat(800) })).status).toBe(401)
  expect((await send(own, '/payments', { apiKey: '' })).status).toBe(401)
  expect(authenticate).toHaveBeenCalledOnce()
})

test('where there is no key, none is looked up', async () => {
  for (const rateLimits of [undefined, false] as const) {
    expect((await send(merchantApi(untouchable, { rateLimits }), '/payments')).status).toBe(401)
  }
})

test.each(['/', '/nothing', '/payments/1', '/cash_ups', '/payments?page=0', '/%zz'])(
  'whoever is not authenticated learns nothing at %s',
  async target => {
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
      expect((await send(api, target, { method })).status).toBe(401)
    }
  },
)

test('a key that has expired is as an unknown one', async () => {
  const { till, merchant } = await openTill()
  const { apiKey, expiresAt } = await till.apiKeys.issue(merchant.id, { expiresInSeconds: 0.2 })
  const limitless = merchantApi(till, { rateLimits: false })
  while (new Date().toISOString() < `${expiresAt}`) await new Promise(resolve => setTimeout(resolve, 20))
  const response = await send(limitless, '/payments', { apiKey })
  expect([response.status, parsed(response)]).toEqual([
    401,
    { message: 'Unauthorised', code: 'unauthorised' },
  ])
})

test('several keys are live side by side, and a revoked one is not', async () => {
  const second = await till.apiKeys.issue(merchant.id)
  expect((await send(api, '/payments', { apiKey: second.apiKey })).status).toBe(200)
  await till.apiKeys.revoke(merchant.id, second.id)
  expect((await send(api, '/payments', { apiKey: second.apiKey })).status).toBe(401)
  expect((await send(api, '/payments', { apiKey })).status).toBe(200)
})
