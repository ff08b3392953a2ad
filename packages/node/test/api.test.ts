import { merchantApi, qrEndpoints } from '@tillkit/http'
import { toNode } from '@tillkit/node'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill } from '@tillkit/till'
import { expect, test } from 'vitest'
import { bodyOf, listen, listenSecurely, message, statusOf } from './server.ts'

const till = createTill({ storage: memoryStorage() })
const merchant = await till.merchants.create({ name: 'Corner Café' })
const { apiKey } = await till.apiKeys.issue(merchant.id)
const { code } = await till.scanCodes.create(merchant.id)
await till.payments.complete(
  await till.payments.start({ scanCode: code, totalAmount: 1250, extra: { note: '☕' } }),
)

const Authorization = `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`
const listener = (options = {}) =>
  toNode(
    {
      '/v1': merchantApi(till, { rateLimits: false }),
      '/qr': qrEndpoints(till, { qrBaseUrl: 'https://pay.example.com' }),
    },
    options,
  )

test('payments over TLS', async () => {
  const { raw } = await listenSecurely(listener())
  const response = await raw(message('GET /v1/payments', { Authorization }))
  expect(statusOf(response)).toBe(200)
  expect(response).toMatch(/\r\nX-Total: 1\r\n/)
  expect(response).not.toMatch(/transfer-encoding/i)
  const body = Buffer.from(bodyOf(response), 'latin1')
  expect(response).toContain(`\r\nContent-Length: ${body.length}\r\n`)
  expect(JSON.parse(body.toString())).toMatchObject([{ id: 1, extra: { note: '☕' } }])
})

test('plain HTTP is refused, whatever the client says of itself', async () => {
  const { raw } = await listen(listener())
  for (const forged of [[], ['X-Forwarded-Proto', 'https'], ['Forwarded', 'proto=https']] as const) {
    expect(
      statusOf(
        await raw(
          message('GET /v1/payments', { Authorization, ...(forged[0] && { [forged[0]]: forged[1] }) }),
        ),
      ),
    ).toBe(403)
  }
})

test('behind a trusted proxy its word counts', async () => {
  const { raw } = await listen(listener({ trustProxy: 'loopback' }))
  const ask = (protocol: string) =>
    raw(message('GET /v1/payments', { Authorization, 'X-Forwarded-Proto': protocol }))
  expect(statusOf(await ask('https'))).toBe(200)
  expect(statusOf(await ask('http'))).toBe(403)
})

test('a forged X-Forwarded-For does not dodge a limit', async () => {
  const { raw } = await listenSecurely(toNode(merchantApi(till)))
  const ask = (address: number) =>
    raw(message('GET /payments', { 'X-Forwarded-For': `203.0.113.${address}` }))
  const statuses = (await Promise.all(Array.from({ length: 61 }, (_, i) => ask(i)))).map(statusOf)
  expect(statuses.filter(status => status === 429)).toHaveLength(1)
})

test('HEAD has the headers of GET and nothing after them', async () => {
  const { raw } = await listenSecurely(listener())
  for (const target of ['/v1/payments', '/v1/payments/1', `/qr/${code}`, `/qr/${code}.png`]) {
    const head = await raw(message(`HEAD ${target}`, { Authorization }))
    const get = await raw(message(`GET ${target}`, { Authorization }))
    const length = (response: string) => /\r\ncontent-length: (\d+)\r\n/i.exec(response)?.[1]
    expect([statusOf(head), bodyOf(head), length(head)]).toEqual([200, '', length(get)])
  }
})

test('405, 404 and 304 are complete', async () => {
  const { raw } = await listenSecurely(listener())
  const refused = await raw(message('DELETE /v1/cash_ups', { Authorization }))
  expect(statusOf(refused)).toBe(405)
  expect(refused).toMatch(/\r\nAllow: GET, HEAD, POST\r\n/)
  expect(statusOf(await raw(message('GET /v1/nothing', { Authorization })))).toBe(404)
  const again = await raw(message(`GET /qr/${code}.svg`, { 'If-None-Match': '*' }))
  expect([statusOf(again), bodyOf(again)]).toEqual([304, ''])
})

test('an image arrives as it was drawn', async () => {
  const { raw } = await listenSecurely(listener())
  const png = Buffer.from(bodyOf(await raw(message(`GET /qr/${code}.png?scan_code_size=200`))), 'latin1')
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([200, 200])
})

test('10 MiB on POST /cash_ups are ignored, and the connection goes on', async () => {
  const { raw } = await listenSecurely(listener())
  const size = 10 * 1024 * 1024
  const headers = {
    Authorization,
    'Content-Type': '/',
    Connection: 'keep-alive',
    'Content-Length': String(size),
  }
  const first = Buffer.concat([Buffer.from(message('POST /v1/cash_ups', headers)), Buffer.alloc(size, '{')])
  const text = await raw(
    Buffer.concat([first, first, Buffer.from(message('GET /v1/cash_ups', { Authorization }))]),
  )
  const [one, other, list] = text.split(/(?=HTTP\/1\.1 )/)
  expect([one, other, list].map(part => statusOf(part ?? ''))).toEqual([200, 200, 200])
  expect(JSON.parse(bodyOf(list ?? ''))).toEqual([other, one].map(part => JSON.parse(bodyOf(part ?? ''))))
})
