import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CheckoutOptions } from '@tillkit/checkout'
import type { HttpRequest } from '@tillkit/http'
import { toNode } from '@tillkit/node'
import { browserContext, complaintsOf } from '@tillkit/servers/browser'
import type { BrowserContextOptions } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { openShop } from '../shop.ts'

/** A phone of an ordinary size. */
export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
}

/** A shop whose checkout is served on a port of this machine, and a customer's browser. */
export async function visitShop(
  context: BrowserContextOptions = PHONE,
  options: Partial<CheckoutOptions> = {},
  { cookies = true, clock }: { cookies?: boolean; clock?: () => Date } = {},
) {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const shop = await openShop({ qrBaseUrl: origin, https: 'off', ...options }, clock ? { clock } : {})
  const { handler } = shop.checkout
  server.on('request', toNode({ '/qr': cookies ? handler : request => handler(withoutCookies(request)) }))
  const opened = await browserContext(context)
  const page = await opened.newPage()
  const complaints = complaintsOf(page)
  onTestFinished(async () => {
    await opened.close()
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
    expect(complaints).toEqual([])
  })
  const scan = (target: string) => page.goto(`${origin}/qr/${target}`)
  return { ...shop, page, opened, origin, scan }
}

/** What comes of a request in a browser that blocks cookies. */
function withoutCookies(request: HttpRequest): HttpRequest {
  const { method, path, query, secure, remoteAddress, headers } = request
  const body: HttpRequest['body'] = limits => request.body(limits)
  return { method, path, query, secure, remoteAddress, body, headers: { ...headers, cookie: undefined } }
}
