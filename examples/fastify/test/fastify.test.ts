import { expect, test } from 'vitest'
import { buildApp } from '../src/build.ts'

const qrBaseUrl = 'https://pay.example.com'

test('a payment from its QR code to its outcome', async () => {
  const app = await buildApp({ file: ':memory:', qrBaseUrl, https: 'off' })
  const { id } = await app.till.merchants.create({ name: 'Corner Coffee' })
  const { apiKey } = await app.till.apiKeys.issue(id)
  const { code } = await app.till.scanCodes.create(id)
  const authorization = `Basic ${btoa(`${apiKey}:`)}`
  const list = async () => (await app.inject({ url: '/v1/payments', headers: { authorization } })).json()

  const image = await app.inject({ url: `/qr/${code}.png?amount=450` })
  expect(image.headers['content-type']).toBe('image/png')
  const started = await app.till.payments.start({ scanCode: code, totalAmount: 450 })
  expect(await list()).toMatchObject([{ id: 1, status: 'pending' }])
  const url = `/processor/payments/${id}/${started.id}`
  const told = await app.inject({ method: 'POST', url, payload: { approved: true } })
  expect(told.json()).toEqual({ status: 'completed' })
  expect(await list()).toMatchObject([{ id: 1, status: 'completed' }])
  await app.close()
})

test.each([[{ approved: 'false' }], [{ approved: null }], [{ approved: 1 }], [{}], ['"yes"'], [undefined]])(
  'what the processor does not say is no outcome: %j',
  async payload => {
    const app = await buildApp({ file: ':memory:', qrBaseUrl, https: 'off' })
    const { id } = await app.till.merchants.create({ name: 'Corner Coffee' })
    const { code } = await app.till.scanCodes.create(id)
    const started = await app.till.payments.start({ scanCode: code, totalAmount: 450 })
    const url = `/processor/payments/${id}/${started.id}`
    const json = { 'content-type': 'application/json' }
    const told = await app.inject({ method: 'POST', url, ...(payload && { payload, headers: json }) })
    expect(told.statusCode).toBe(400)
    expect(await app.till.payments.get(id, started.id)).toMatchObject({ status: 'pending' })
    await app.close()
  },
)

test('a processor that contradicts itself, or means a payment that there is not, is told so', async () => {
  const app = await buildApp({ file: ':memory:', qrBaseUrl, https: 'off' })
  const { id } = await app.till.merchants.create({ name: 'Corner Coffee' })
  const { code } = await app.till.scanCodes.create(id)
  const started = await app.till.payments.start({ scanCode: code, totalAmount: 450 })
  const tell = async (paymentId: number, approved: boolean) => {
    const url = `/processor/payments/${id}/${paymentId}`
    const told = await app.inject({ method: 'POST', url, payload: { approved } })
    return [told.statusCode, told.json()]
  }
  expect(await tell(started.id, true)).toEqual([200, { status: 'completed' }])
  expect(await tell(started.id, true)).toEqual([200, { status: 'completed' }])
  const another = { code: 'conflict', error: 'Conflict', message: expect.stringContaining('completed') }
  expect(await tell(started.id, false)).toEqual([409, { statusCode: 409, ...another }])
  const unknown = { code: 'not_found', error: 'Not Found', message: expect.stringContaining('no payment 7') }
  expect(await tell(7, true)).toEqual([404, { statusCode: 404, ...unknown }])
  expect((await tell(0, true))[0]).toBe(400)
  expect(await app.till.payments.get(id, started.id)).toMatchObject({ status: 'completed' })
  await app.close()
})

test('behind a proxy that Fastify trusts, HTTPS is the proxy’s word', async () => {
  const statusWith = async (trustProxy: boolean) => {
    const app = await buildApp({ file: ':memory:', qrBaseUrl, fastify: { trustProxy } })
    const headers = { 'x-forwarded-proto': 'https' }
    const { statusCode } = await app.inject({ url: '/v1/payments', headers })
    await app.close()
    return statusCode
  }
  expect(await statusWith(true)).toBe(401)
  expect(await statusWith(false)).toBe(403)
})
