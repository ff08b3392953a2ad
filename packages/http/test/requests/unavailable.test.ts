import { merchantApi, qrEndpoints, toFetch } from '@tillkit/http'
import { CommitUnknownError, DatabaseError } from '@tillkit/storage'
import { expect, test, vi } from 'vitest'
import { openTill, parsed, send } from '../fixture.ts'

const away = new DatabaseError('PostgreSQL at db.internal cannot be reached', { cause: new Error('hunter2') })
const qrBaseUrl = 'https://pay.example.com'

test('a database out of reach is 503, with when to ask again, masked and logged', async () => {
  const { till, apiKey, code } = await openTill()
  vi.spyOn(till.payments, 'list').mockRejectedValue(away)
  vi.spyOn(till.scanCodes, 'get').mockRejectedValue(away)
  const error = vi.fn()
  const logger = { error, warn() {} }
  const api = merchantApi(till, { logger })
  const unknown = merchantApi({ ...till, authenticate: () => Promise.reject(away) }, { logger })
  const qr = qrEndpoints(till, { qrBaseUrl, logger })
  for (const [index, response] of [
    await send(api, '/payments', { apiKey }),
    await send(unknown, '/payments', { apiKey }),
    await send(qr, `/${code}`),
    await send(qr, `/${code}.png`),
  ].entries()) {
    expect([response.status, response.headers['Retry-After']]).toEqual([503, '2'])
    expect(parsed(response)).toEqual({
      message: 'Unavailable for a moment, please try again',
      code: 'unavailable',
    })
    expect(error.mock.calls[index]?.[0]).toMatchObject({
      err: away,
      requestId: response.headers['X-Request-Id'],
    })
  }
  expect(error).toHaveBeenCalledTimes(4)
})

test('a cash up of which nobody knows whether it took place says how to find out', async () => {
  const { till, apiKey } = await openTill()
  vi.spyOn(till.cashUps, 'create').mockRejectedValue(new CommitUnknownError(new Error('hunter2')))
  const api = merchantApi(till)
  const post = (headers: Record<string, string>) =>
    send(api, '/cash_ups', {
      apiKey,
      method: 'POST',
      headers: { authorization: basicOf(apiKey), ...headers },
    })
  const keyed = await post({ 'idempotency-key': 'monday' })
  expect([keyed.status, keyed.headers['Retry-After']]).toEqual([503, '2'])
  expect(parsed(keyed)).toEqual({
    message: expect.stringContaining('ask again with the same Idempotency-Key'),
    code: 'unavailable',
  })
  expect(parsed(await post({})).message).toContain('look before asking again')
})

const basicOf = (apiKey: string) => `Basic ${btoa(`${apiKey}:`)}`

test('what a handler of the host’s own throws of it is 503 as well', async () => {
  const listen = toFetch(() => Promise.reject(away), { logger: false })
  const response = await listen(new Request(qrBaseUrl))
  expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '2'])
})
