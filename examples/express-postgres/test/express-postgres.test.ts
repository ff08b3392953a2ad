import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { checkConformance } from '@tillkit/conformance'
import { type OwnServer, ownPostgres } from '@tillkit/servers'
import type { Pool } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildShop } from '../src/build.ts'
import { openPool } from '../src/open-pool.ts'

/** A server of this test's own, or why there is none: in CI that is a failure. */
const server: OwnServer | Error = await ownPostgres().catch(error => error)
const missing = server instanceof Error ? server.message : ''

let pool: Pool
let shop: Awaited<ReturnType<typeof buildShop>>
let listening: ReturnType<typeof shop.app.listen>
let apiKey: string

async function ask(path: string, body?: object | string) {
  const { port } = listening.address() as AddressInfo
  const headers = { 'content-type': 'application/json', authorization: `Basic ${btoa(`${apiKey}:`)}` }
  const init = body
    ? { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) }
    : { headers }
  const response = await fetch(`http://127.0.0.1:${port}${path}`, init)
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : JSON.parse(text) }
}

const payments = async () => (await ask('/v1/payments')).body
const stock = async () => (await shop.db.selectFrom('stock').selectAll().executeTakeFirst())?.remaining

describe.skipIf(missing !== '' && process.env.CI !== 'true')(`over PostgreSQL ${missing}`.trim(), () => {
  beforeAll(async () => {
    if (server instanceof Error) throw server
    pool = openPool(server.url)
    shop = await buildShop({ pool, qrBaseUrl: 'https://shop.example.com', https: 'off' })
    apiKey = (await shop.till.apiKeys.issue('shop')).apiKey
    listening = shop.app.listen(0, '127.0.0.1')
    await once(listening, 'listening')
  })

  afterAll(async () => {
    listening.closeAllConnections()
    listening.close()
    await shop.close()
    await pool.end()
    if (!(server instanceof Error)) await server.remove()
  })

  beforeEach(async () => {
    const item = { item: 'mug', price: 1250, remaining: 10 }
    await shop.db
      .insertInto('stock')
      .values(item)
      .onConflict(conflict => conflict.column('item').doUpdateSet(item))
      .execute()
  })

  test('an order and its payment are one transaction, and so are their outcomes', async () => {
    const before = (await payments()).length
    const { status, body } = await ask('/orders', { item: 'mug', quantity: 2 })
    expect([status, body.paymentId, body.amount]).toEqual([201, before + 1, 2500])
    expect(body.url).toBe(`https://shop.example.com/qr/shop-checkout?id=order-${body.orderId}&amount=2500`)
    expect((await payments())[0]).toMatchObject({ id: body.paymentId, status: 'pending', totalAmount: 2500 })
    expect(await stock()).toBe(8)

    expect((await ask('/processor', { paymentId: body.paymentId, approved: true })).status).toBe(204)
    expect((await ask(`/orders/${body.orderId}`)).body).toMatchObject({ state: 'paid' })
    expect((await payments())[0]).toMatchObject({ id: body.paymentId, status: 'completed' })
  })

  test('a body that the shop could not read is nothing to the API, which ignores bodies', async () => {
    expect(await ask('/v1/payments', '{')).toMatchObject({
      status: 405,
      body: { code: 'method_not_allowed' },
    })
  })

  test('an order that cannot be had leaves no payment behind, and no gap in the ids', async () => {
    const before = await payments()
    expect((await ask('/orders', { item: 'mug', quantity: 11 })).status).toBe(409)
    expect(await payments()).toEqual(before)
    expect(await stock()).toBe(10)
    expect((await ask('/orders', { item: 'mug', quantity: 1 })).body.paymentId).toBe(before.length + 1)
  })

  test('thirty customers at once buy what there is, and ids run without a gap', async () => {
    const before = (await payments()).length
    const orders = await Promise.all(
      Array.from({ length: 30 }, () => ask('/orders', { item: 'mug', quantity: 1 })),
    )
    const placed = orders.filter(({ status }) => status === 201)
    expect([placed.length, await stock()]).toEqual([10, 0])
    const ids = placed.map(({ body }) => body.paymentId).sort((a, b) => a - b)
    expect(ids).toEqual(Array.from({ length: 10 }, (_, index) => before + 1 + index))
  })

  test('an outcome that was decided otherwise changes neither the payment nor the order', async () => {
    const { body } = await ask('/orders', { item: 'mug', quantity: 1 })
    await ask('/processor', { paymentId: body.paymentId, approved: false })
    expect((await ask('/processor', { paymentId: body.paymentId, approved: true })).status).toBe(400)
    expect((await ask(`/orders/${body.orderId}`)).body).toMatchObject({ state: 'failed' })
  })

  test.each([
    ['/orders/x'],
    ['/orders/1.5'],
    ['/orders/2147483648'],
    ...[1.5, 0, -1, '2', 2 ** 31, null].map(quantity => ['/orders', { item: 'mug', quantity }]),
    ['/orders', { quantity: 1 }],
    ['/orders', { item: ['mug'], quantity: 1 }],
    ['/orders', []],
    ['/orders', '{'],
    ['/processor', { paymentId: '1', approved: true }],
    ['/processor', { paymentId: 1, approved: 'false' }],
    ['/processor', { approved: true }],
  ] as [string, (object | string)?][])('%s %j is 400, says why and changes nothing', async (path, body) => {
    await ask('/orders', { item: 'mug', quantity: 1 })
    const before = [await payments(), await stock()]
    const refused = await ask(path, body)
    expect(refused.status).toBe(400)
    expect(refused.body.error).toMatch(/must be|JSON/)
    expect([await payments(), await stock()]).toEqual(before)
  })

  test('the API beside it is what its contract says', { timeout: 240_000 }, async () => {
    const { port } = listening.address() as AddressInfo
    const origin = `http://127.0.0.1:${port}`
    const report = await checkConformance({
      url: `${origin}/v1`,
      qrUrl: origin,
      key: apiKey,
      destructive: true,
    })
    expect(report.checks.filter(({ status }) => status === 'differs')).toEqual([])
  })
})
