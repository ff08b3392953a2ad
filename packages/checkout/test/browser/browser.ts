import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CheckoutOptions } from '@tillkit/checkout'
import type { HttpRequest } from '@tillkit/http'
import { toNode } from '@tillkit/node'
import { findChromium } from '@tillkit/servers'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest'
import { openShop } from '../shop.ts'

const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync'],
]

/** What is waited for is on the page, not a time: this is when it is given up, in milliseconds. */
const PATIENCE = 100_000

const executablePath = findChromium()
let browser: Browser

/** A phone of an ordinary size. */
export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
}

/**
 * Tests in a real browser: skipped, by name, where there is none; in CI that is a failure.
 */
export function inBrowser(name: string, tests: () => void): void {
  if (executablePath === undefined) console.warn(`skipped, for there is no Chromium here: ${name}`)
  describe.skipIf(executablePath === undefined)(name, { timeout: 120_000 }, () => {
    beforeAll(async () => {
      browser = await chromium.launch({
        executablePath: executablePath as string,
        args: FLAGS,
        timeout: PATIENCE,
      })
    }, 120_000)
    afterAll(() => browser?.close())
    tests()
  })
}

/** Another customer's browser, closed when the test ends. */
export async function browserContext(context: BrowserContextOptions) {
  const opened = await browser.newContext({ locale: 'en-IE', ...context })
  opened.setDefaultTimeout(PATIENCE)
  onTestFinished(() => opened.close())
  return opened
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
  const opened = await browser.newContext({ locale: 'en-IE', ...context })
  opened.setDefaultTimeout(PATIENCE)
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

/** What the browser has to say against a page: errors of its script, and what the content security policy stopped. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('pageerror', error => complaints.push(error.message))
  page.on('console', message => {
    if (message.type() === 'error' && !/favicon|422|Failed to load resource/.test(message.text()))
      complaints.push(message.text())
  })
  return complaints
}
