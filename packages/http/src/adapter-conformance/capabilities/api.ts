import type { Till } from '@tillkit/till'
import { merchantApi } from '../../merchant-api.ts'
import { qrEndpoints } from '../../qr/qr-endpoints.ts'
import type { Checks } from '../capability.ts'

const FORGED = { 'X-Forwarded-Proto': 'https', Forwarded: 'proto=https' }

/** The API itself, mounted. */
export function api({ test, expect, serving, tls }: Checks, openTill: () => Till): void {
  async function scene() {
    const till = openTill()
    const merchant = await till.merchants.create({ name: 'Corner Café' })
    const { apiKey } = await till.apiKeys.issue(merchant.id)
    const { code } = await till.scanCodes.create(merchant.id)
    await till.payments.complete(
      await till.payments.start({ scanCode: code, totalAmount: 1250, extra: { note: '☕' } }),
    )
    const Authorization = `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`
    const qr = qrEndpoints(till, { qrBaseUrl: 'https://pay.example.com' })
    return { till, mounts: { '/v1': merchantApi(till), '/qr': qr }, headers: { Authorization }, code }
  }

  test('payments, HEAD, 401, 404 and 405 over TLS', async () => {
    const { mounts, headers } = await scene()
    await serving({ mounts, tls }, async client => {
      const get = await client.send({ target: '/v1/payments?perPage=10', headers })
      expect([get.status, get.headers['x-total'], get.headers['x-per-page']]).toEqual([200, '1', '10'])
      expect(get.headers['content-length']).toBe(String(get.body.length))
      expect(JSON.parse(get.text)[0].extra).toEqual({ note: '☕' })

      const head = await client.send({ method: 'HEAD', target: '/v1/payments?perPage=10', headers })
      expect([head.status, head.headers['content-length'], head.text]).toEqual([
        200,
        String(get.body.length),
        '',
      ])

      const anonymous = await client.send({ target: '/v1/payments' })
      expect([anonymous.status, anonymous.text]).toEqual([
        401,
        '{"message":"Unauthorised","code":"unauthorised"}',
      ])
      const unknown = await client.send({ target: '/v1/nothing', headers })
      expect([unknown.status, unknown.text]).toEqual([404, '{"message":"Not found","code":"not_found"}'])
      const refused = await client.send({ method: 'DELETE', target: '/v1/cash_ups', headers })
      expect([refused.status, refused.headers.allow]).toEqual([405, 'GET, HEAD, POST'])
      const options = await client.send({ method: 'OPTIONS', target: '/v1/payments', headers })
      expect([options.status, options.headers.allow]).toEqual([405, 'GET, HEAD'])
    })
  })

  test('a suspended merchant’s key is 403 whatever it asks for, until it is resumed', async () => {
    const { till, mounts, headers } = await scene()
    const [merchant] = await till.merchants.list()
    await till.merchants.suspend(merchant?.id ?? '')
    await serving({ mounts, tls }, async client => {
      for (const target of ['/v1/payments', '/v1/payments/1', '/v1/nothing']) {
        const refused = await client.send({ target, headers })
        expect([refused.status, refused.text]).toEqual([
          403,
          '{"message":"This account is suspended","code":"suspended"}',
        ])
      }
      expect((await client.send({ target: '/v1/payments' })).status).toBe(401)
      await till.merchants.resume(merchant?.id ?? '')
      expect((await client.send({ target: '/v1/payments', headers })).status).toBe(200)
    })
  })

  test('a preflight is answered', async () => {
    const { mounts } = await scene()
    await serving({ mounts, tls }, async client => {
      const headers = { Origin: 'https://shop.example.com', 'Access-Control-Request-Method': 'POST' }
      const got = await client.send({ method: 'OPTIONS', target: '/v1/cash_ups', headers })
      expect([got.status, got.headers['access-control-allow-origin'], got.text]).toEqual([204, '*', ''])
      expect(got.headers['access-control-allow-methods']).toBe('GET, HEAD, POST')
    })
  })

  test('a QR image arrives as it was drawn', async () => {
    const { mounts, code } = await scene()
    await serving({ mounts, tls }, async client => {
      const { headers, body } = await client.send({ target: `/qr/${code}.png?scan_code_size=200` })
      const png = Buffer.from(body)
      expect([headers['content-type'], png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([
        'image/png',
        200,
        200,
      ])
      const again = await client.send({ target: `/qr/${code}.png`, headers: { 'If-None-Match': '*' } })
      expect([again.status, again.body.length]).toEqual([304, 0])
    })
  })

  test('POST /cash_ups ignores its body: none, malformed, parsed, 10 MiB', async () => {
    const { till, mounts, headers } = await scene()
    for (const parsesBodies of [false, true]) {
      await serving({ mounts, tls, parsesBodies }, async client => {
        const cashUp = async (type: string, body: string | Uint8Array) => {
          const all = { ...headers, 'Content-Type': type, 'Idempotency-Key': 'K1' }
          const got = await client.send({ method: 'POST', target: '/v1/cash_ups', headers: all, body })
          return [got.status, JSON.parse(got.text).reference]
        }
        const [, reference] = await cashUp('application/json', '{}')
        expect(await cashUp('application/json', '[1]')).toEqual([200, reference])
        expect(await cashUp('/', '{')).toEqual([200, reference])
        expect(await cashUp('image/png', new Uint8Array(10 * 1024 * 1024))).toEqual([200, reference])
        expect(await cashUp('application/x-www-form-urlencoded', 'a=b')).toEqual([200, reference])
      })
    }
    const [merchant] = await till.merchants.list()
    expect((await till.cashUps.list(merchant?.id ?? '')).total).toBe(1)
  })

  test('plain HTTP is refused, whatever the client says of itself', async () => {
    const { mounts, headers, code } = await scene()
    await serving({ mounts }, async client => {
      for (const target of ['/v1/payments', `/qr/${code}`]) {
        const { status, text } = await client.send({ target, headers: { ...headers, ...FORGED } })
        expect([status, text]).toEqual([403, '{"message":"HTTPS is required","code":"https_required"}'])
      }
    })
  })

  test('a forged X-Forwarded-For does not dodge a limit', async () => {
    const { mounts } = await scene()
    await serving({ mounts, tls }, async client => {
      const statuses: number[] = []
      for (let i = 0; i < 61; i++) {
        const headers = { 'X-Forwarded-For': `203.0.113.${i}`, 'X-Real-IP': `203.0.113.${i}` }
        statuses.push((await client.send({ target: '/v1/payments', headers })).status)
      }
      expect(statuses.filter(status => status === 401).length).toBe(60)
      expect(statuses.at(-1)).toBe(429)
    })
  })
}
