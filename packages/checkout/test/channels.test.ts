import { tracingChannel } from 'node:diagnostics_channel'
import { pathForLogs } from '@tillkit/checkout'
import type { RequestMessage } from '@tillkit/http'
import { expect, onTestFinished, test } from 'vitest'
import { openShop, send, totalShown } from './shop.ts'

/** What is told of requests while a test goes on. */
function told(): RequestMessage[] {
  const channel = tracingChannel<unknown, RequestMessage>('tillkit:http.request')
  const heard: RequestMessage[] = []
  const listener = (message: unknown) => heard.push(message as RequestMessage)
  channel.asyncEnd.subscribe(listener)
  onTestFinished(() => void channel.asyncEnd.unsubscribe(listener))
  return heard
}

test('each request is told of once, by its route, and never by what its customer is to pay', async () => {
  const { customer, checkout } = await openShop()
  const heard = told()
  const { target, page } = await customer.open('/shelf?id=HB-2042&amount=1850')
  const attempt = target.split('?')[0] ?? ''
  await customer.press(target, { total: totalShown(page) })
  await customer.open(`${attempt}/receipt`)
  await send(checkout.handler, `${attempt}/back/${btoa('amount=1850').replaceAll('=', '')}`)
  const [script = ''] = /checkout-[0-9a-f]{16}\.js/.exec(page) ?? []
  await customer.open(`/${script}`)
  await customer.open('/shelf.svg')
  await customer.open('/a/b/c')
  const packed = btoa('amount=1850&id=HB-2042').replaceAll('=', '')
  await send(checkout.handler, `${attempt}/back/${packed}/`)
  expect(
    heard.map(({ handler, route, path, result }) => [handler, route, path, result?.status]).filter(distinct),
  ).toEqual([
    ['checkout', '/{scanCode}', undefined, 303],
    ['checkout', '/{scanCode}/pay/{attempt}', undefined, 200],
    ['checkout', '/{scanCode}/pay/{attempt}', undefined, 303],
    ['checkout', '/{scanCode}/pay/{attempt}/receipt', undefined, 303],
    ['checkout', '/{scanCode}/pay/{attempt}/back', `${attempt}/back`, 303],
    ['checkout', '/checkout.js', undefined, 200],
    ['qr', '/{scanCode}.svg', undefined, 200],
    ['checkout', undefined, undefined, 404],
    ['checkout', undefined, `${attempt}/back`, 404],
  ])
  for (const { requestId, result } of heard) {
    expect([requestId]).toEqual([result?.headers['X-Request-Id']])
  }
})

test('a path for logs is the path but for the amount and reference that the way back holds', () => {
  const attempt = 'a'.repeat(48)
  const paths = [
    '/shelf',
    '/shelf.svg',
    `/shelf/pay/${attempt}`,
    `/shelf/pay/${attempt}/back/YW1vdW50PTE`,
    '/x/y',
    `/shelf/pay/${attempt}/back/YW1vdW50PTE/`,
    `/shelf/pay/${attempt}/back/YW1vdW50PTE=&status=paid`,
    '/shelf/pay/too-short/back/YW1vdW50PTE',
  ]
  expect(paths.map(pathForLogs)).toEqual([
    '/shelf',
    '/shelf.svg',
    `/shelf/pay/${attempt}`,
    `/shelf/pay/${attempt}/back`,
    '/x/y',
    `/shelf/pay/${attempt}/back`,
    `/shelf/pay/${attempt}/back`,
    '/shelf/pay/too-short/back',
  ])
})

/** The page of an attempt is shown before and after. */
function distinct(one: unknown[], at: number, all: unknown[][]): boolean {
  return all.findIndex(other => String(other) === String(one)) === at
}
