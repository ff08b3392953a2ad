import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ConsoleOptions, createConsole, type Operator, PERMISSIONS } from '@tillkit/console'
import { toNode } from '@tillkit/node'
import { browserContext, complaintsOf } from '@tillkit/servers/browser'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill, type Till } from '@tillkit/till'
import type { BrowserContextOptions } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'

export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
}
export const DESK: BrowserContextOptions = { viewport: { width: 1280, height: 800 } }

/** A console on a port of this machine, below a path, and the browser of somebody who is let in. */
export async function visitDesk(
  context: BrowserContextOptions = DESK,
  {
    operator = { name: 'Ada', permissions: PERMISSIONS },
    ...options
  }: Partial<ConsoleOptions> & { operator?: Operator } = {},
) {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const till = createTill({
    storage: memoryStorage(),
    logger: false,
    rememberSeconds: 0,
    webhooks: { allowHttp: true, allowPrivateAddresses: true, retryDelays: [] },
  })
  const { handler } = createConsole(till, {
    authorize: () => operator,
    currency: 'EUR',
    locale: 'en-IE',
    rateLimits: false,
    https: 'off',
    qrBaseUrl: origin,
    lookup: () => ({ status: 'unknown' }),
    ...options,
  })
  const receiver = async () => ({ status: 500, headers: {}, body: 'not today' })
  server.on('request', toNode({ '/back/office': handler, '/hook': receiver }))
  await furnish(till, `${origin}/hook`)
  const opened = await browserContext(context)
  const page = await opened.newPage()
  const complaints = complaintsOf(page)
  onTestFinished(async () => {
    await opened.close()
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
    await till.close()
    expect(complaints).toEqual([])
  })
  const open = (path: string) => page.goto(`${origin}/back/office${path}`)
  return { till, page, opened, origin, open }
}

/** A café and a bookshop with a little of everything. */
async function furnish(till: Till, webhookUrl: string): Promise<void> {
  await till.merchants.create({ id: 'cafe', name: 'Corner Café', webhookUrl, features: { tips: true } })
  await till.merchants.create({ id: 'books', name: 'Harbour Books' })
  await till.apiKeys.issue('cafe', { label: 'Counter' })
  for (const n of [1, 2, 3])
    await till.scanCodes.create('cafe', { code: `table-${n}`, reference: `Table ${n}` })
  const pay = (n: number) =>
    till.payments.start({
      scanCode: `table-${(n % 3) + 1}`,
      totalAmount: 450 + 125 * n,
      tipAmount: n % 2 ? 100 : 0,
      requiredAmount: 450,
      merchantReference: `order-${n}`,
    })
  for (let n = 0; n < 12; n++) {
    const payment = await pay(n)
    if (n % 4 === 3) await till.payments.fail(payment, { failure: 'card_declined' })
    else if (n < 11) await till.payments.complete(payment)
    if (n === 5) await till.cashUps.create('cafe')
  }
  await till.webhooks.deliverDue()
  await till.settlements.import({
    statementReference: 'S-47',
    rows: [
      { merchantId: 'cafe', paymentId: 1, amount: 450, fee: 9 },
      { merchantId: 'cafe', paymentId: 2, amount: 1 },
    ],
  })
  await pay(12)
}
