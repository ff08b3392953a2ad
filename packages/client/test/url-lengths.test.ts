import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient } from '@tillkit/client'
import { qrEndpoints } from '@tillkit/http'
import { toNode } from '@tillkit/node'
import { paymentUrl } from '@tillkit/qr'
import { expect, onTestFinished, test } from 'vitest'
import { openShop } from './shop.ts'

/** A server of payment URLs on a port of this machine, and the URLs that a shop and its provider make for it. */
async function openUrls() {
  const { till } = await openShop()
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const qrBaseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  server.on('request', toNode({ '/qr': qrEndpoints(till, { qrBaseUrl, https: 'off' }) }))
  const { qr } = createClient({ baseUrl: `${qrBaseUrl}/v1`, apiKey: 'tk_x', allowHttp: true })
  const status = async (url: string) => (await fetch(url, { redirect: 'manual' })).status
  return { qr, qrBaseUrl, status }
}

const urlOf = (pairs: Record<string, string>) => ({ scanCode: 'counter', extra: pairs })

test.each([
  ['of ASCII', { a: 'x'.repeat(8192 - 'a='.length) }],
  ['of letters that are six characters in a URL', { aaaa: `${'é'.repeat(1364)}xxx` }],
  [
    'of many names',
    Object.fromEntries(Array.from({ length: 48 }, (_, n) => [`n${n + 10}`, 'x'.repeat(160)])),
  ],
])('an extra %s has as many characters as the server takes, and not one more', async (_, extra) => {
  const { qr, qrBaseUrl, status } = await openUrls()
  const query = new URL(qr.url(urlOf(extra))).search.slice(1)
  const [first = ''] = Object.keys(extra)
  const most = { ...extra, [first]: `${extra[first as never]}${'x'.repeat(8192 - query.length)}` }
  const [url, provider] = [qr.url(urlOf(most)), paymentUrl({ qrBaseUrl, ...urlOf(most) })]
  expect([await status(url), await status(provider)]).toEqual([200, 200])
  expect(await status(`${url}x`)).toBe(414)

  const more = urlOf({ ...most, [first]: `${most[first as never]}x` })
  const refusal = /^extra is too long: the query .* 8192 characters once it is encoded, not 8193$/
  expect(() => qr.url(more)).toThrow(refusal)
  expect(() => paymentUrl({ qrBaseUrl, ...more })).toThrow(refusal)
})

test('a reference that is too long for a URL is named, and a signature is counted', () => {
  const qrBaseUrl = 'https://pay.example.com'
  const long = { qrBaseUrl, scanCode: 'counter', merchantReference: 'x'.repeat(8192 - 'id='.length) }
  expect(paymentUrl(long)).toHaveLength(`${qrBaseUrl}/qr/counter?`.length + 8192)
  const refusal = expect.objectContaining({ parameter: 'merchantReference' })
  expect(() => paymentUrl({ ...long, strict: true })).toThrow(refusal)
  expect(() => paymentUrl(long, { key: 'k'.repeat(32) })).toThrow(refusal)
})

test('an image is of a URL as long as the server draws, and not one character longer', async () => {
  const { qr, qrBaseUrl, status } = await openUrls()
  const room = 800 - `${qrBaseUrl}/qr/counter?a=`.length
  for (const image of [{ format: 'png' as const, size: 500 }, {}]) {
    const most = urlOf({ a: 'x'.repeat(room) })
    expect(await status(qr.imageUrl({ ...most, ...image }))).toBe(200)
    const more = urlOf({ a: 'x'.repeat(room + 1) })
    expect(() => qr.imageUrl({ ...more, ...image })).toThrow(
      /^the payment URL is too long for an image: .* 800 characters, not 801/,
    )
    expect(await status(qr.imageUrl({ ...most, ...image }).replace('a=', 'a=x'))).toBe(400)
    expect(await status(qr.url(more))).toBe(200)
  }
})
