import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { generate } from 'selfsigned'
import { expect, test } from 'vitest'
import { buildServer } from '../src/build.ts'

test('the API, QR codes and the host’s own route over TLS', async () => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keySize: 2048,
  })
  const qrBaseUrl = 'https://pay.example.com'
  const { server, till, close } = await buildServer({ file: ':memory:', tls: { key, cert }, qrBaseUrl })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  const get = (path: string, headers = {}) =>
    new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const options = {
        port,
        path,
        headers,
        host: '127.0.0.1',
        ca: cert,
        servername: 'localhost',
        agent: false,
      }
      request(options, response => {
        let text = ''
        response.setEncoding('utf8').on('data', piece => {
          text += piece
        })
        response.on('end', () => resolve({ status: response.statusCode, text }))
      })
        .on('error', reject)
        .end()
    })

  try {
    const { id } = await till.merchants.create({ name: 'Corner Coffee' })
    const { apiKey } = await till.apiKeys.issue(id)
    const { code } = await till.scanCodes.create(id)
    await till.payments.complete(await till.payments.start({ scanCode: code, totalAmount: 450 }))

    const payments = await get('/v1/payments', { Authorization: `Basic ${btoa(`${apiKey}:`)}` })
    expect(JSON.parse(payments.text)).toMatchObject([{ id: 1, status: 'completed', totalAmount: 450 }])
    expect((await get('/v1/payments')).status).toBe(401)
    expect((await get(`/qr/${code}.svg?amount=450`)).text).toContain('<svg')
    expect(await get('/health')).toEqual({ status: 200, text: 'well' })
    expect((await get('/elsewhere')).status).toBe(404)
  } finally {
    await close()
  }
})
