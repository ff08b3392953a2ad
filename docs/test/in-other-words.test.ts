import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { VOCABULARY } from '@tillkit/domain'
import { expect, onTestFinished, test } from 'vitest'
import { openFolder } from './folder.ts'
import { blocksOf, fileOf, readPage } from './page.ts'

const PAGE = 'in-other-words.md'

interface Delivery {
  headers: IncomingMessage['headers']
  body: Buffer
}

/** A merchant's endpoint, and the page's program, which sends its webhooks there. */
async function open() {
  const deliveries: Delivery[] = []
  let came = Promise.withResolvers<void>()
  const endpoint = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    deliveries.push({ headers: request.headers, body: Buffer.concat(chunks) })
    response.writeHead(200).end()
    came.resolve()
    came = Promise.withResolvers()
  })
  await new Promise<void>(listening => endpoint.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void endpoint.close())
  const folder = await openFolder()
  await folder.write('host.mjs', fileOf(PAGE, 'host.mjs'))
  const WEBHOOK_URL = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/hook`
  const host = folder.node(['host.mjs'], { PORT: '0', WEBHOOK_URL })
  const { port, apiKey, webhookKey } = JSON.parse((await host.said(/^\{.*\}$/m))[0])
  return {
    base: `http://127.0.0.1:${port}`,
    apiKey,
    webhookKey,
    async delivered(count: number) {
      while (deliveries.length < count) await came.promise
      return deliveries
    },
  }
}

/** As curl, `requests` and `request` send it: the key as the user of Basic authentication, no password. */
function asMerchant(base: string, apiKey: string) {
  const authorization = `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`
  return async (path: string, init: RequestInit = {}) => {
    const headers = { accept: 'application/json', authorization, ...init.headers }
    const response = await fetch(`${base}/merchant/api/v1/${path}`, { ...init, headers })
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
  }
}

test('what published clients of such an API send is answered as they expect', async () => {
  const { base, apiKey, webhookKey, delivered } = await open()
  const ask = asMerchant(base, apiKey)

  // snapscan 0.2.4, getQRCode: urlLink and imageLink, parameters in this order.
  const link = `${base}/qr/STB115?id=INV001&amount=1000&strict=true&custom=5`
  // A preview of a link, or curl -I, pays nothing: what is paid by GET is the first payment.
  expect((await fetch(link, { method: 'HEAD' })).status).toBe(200)
  expect(await (await fetch(link)).text()).toBe('paid')
  const image = await fetch(
    `${base}/qr/STB115.svg?id=INV001&amount=1000&strict=true&snap_code_size=125&custom=5`,
  )
  expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
  expect(await image.text()).toMatch(/<svg[^>]* width="125" height="125"/)
  // pysnapscan, generate_qr_code_url: the size comes first.
  const png = await fetch(`${base}/qr/STB115.png?snap_code_size=250&id=1234&amount=10000&strict=true`)
  const header = Buffer.from(await png.arrayBuffer())
  expect([header.readUInt32BE(16), header.readUInt32BE(20)]).toEqual([250, 250])

  // snapscan: getPayments, getPayment.
  const payment = {
    id: 1,
    status: 'completed',
    totalAmount: 1000,
    requiredAmount: 1000,
    snapCode: 'STB115',
    snapCodeReference: 'Till Point #1',
    merchantReference: 'INV001',
    authCode: expect.stringMatching(/^\d{6}$/),
    extra: { custom: '5' },
  }
  expect(await ask('payments')).toMatchObject({ status: 200, body: [payment] })
  expect(await ask('payments/1')).toMatchObject({ status: 200, body: payment })
  expect(
    (await ask('payments?status=completed%2Cpending&snapCode=STB115&page=1&perPage=10')).body,
  ).toHaveLength(1)
  expect((await ask('payments?snapCode=STB116')).body).toHaveLength(0)
  expect((await ask('payments?snapCodeReference=Till%20Point%20%231')).body).toHaveLength(1)

  // SnapScan by Rudi Strydom: checkPayment, and payments with PHP's date('c') through http_build_query.
  expect((await ask('payments?merchantReference=INV001&status=completed')).body).toMatchObject([payment])
  const range = 'startDate=2023-11-20T09%3A30%3A00%2B02%3A00&endDate=2999-11-20T09%3A30%3A00%2B02%3A00'
  expect((await ask(`payments?${range}`)).body).toHaveLength(1)

  // snapscan: cashUp without a body; pysnapscan: with one that says a date and a reference, which the service makes itself.
  const first = await ask('cash_ups', { method: 'POST' })
  expect(first).toMatchObject({ status: 200, body: { reference: expect.stringMatching(/^[0-9a-f]{1,32}$/) } })
  const body = '{"date": "2026-11-20T09:30:00Z", "reference": "adg322sgq3"}'
  expect((await ask('cash_ups', { method: 'POST', body })).status).toBe(200)
  expect((await ask('cash_ups?page=1&perPage=1&offset=1')).body).toEqual([first.body])
  expect((await ask(`payments/cash_ups/${first.body.reference}`)).body).toMatchObject([payment])

  // pysnapscan reads `message` of what is 4xx, PHP's the status.
  expect(await ask('payments/99')).toMatchObject({ status: 404, body: { message: expect.any(String) } })
  expect((await ask('payments?startDate=yesterday')).body.message).toMatch(/^startDate is not valid/)
  expect((await asMerchant(base, 'no key')('payments')).body.message).toBe('Unauthorised')

  // A receiver of that API: the HMAC of the raw body, compared with the whole header, then the form's payload.
  const [delivery] = await delivered(1)
  const raw = delivery?.body ?? Buffer.alloc(0)
  const expected = `SnapScan signature=${createHmac('sha256', webhookKey).update(raw).digest('hex')}`
  expect(timingSafeEqual(Buffer.from(delivery?.headers.authorization ?? ''), Buffer.from(expected))).toBe(
    true,
  )
  expect(JSON.parse(new URLSearchParams(raw.toString()).get('payload') ?? '')).toMatchObject(payment)

  // The page's example is what is said, but for what chance and the clock say.
  const [shown] = blocksOf(PAGE).filter(({ language }) => language === 'json')
  await fetch(`${base}/qr/STB115?id=INV001&amount=1000`)
  const said = (await ask('payments/2')).body
  expect(Object.keys(said)).toEqual(Object.keys(JSON.parse(shown?.text ?? '')))
  expect({ ...JSON.parse(shown?.text ?? ''), id: 2, date: said.date, authCode: said.authCode }).toEqual(said)
})

test('the page lists all names there are', () => {
  const section = readPage(PAGE).split('## Which names there are')[1]?.split('\n\n')[1] ?? ''
  const rows = section.split('\n').slice(2)
  const named = rows.map(row => [...(row.split('|')[2] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name))
  const groups = Object.values(VOCABULARY)
  expect(named.map((row, index) => row.slice(0, groups[index]?.length))).toEqual(groups)
})
