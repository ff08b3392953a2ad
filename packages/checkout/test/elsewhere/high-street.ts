import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CheckoutOptions, PaymentProcessor } from '@tillkit/checkout'
import { toNode } from '@tillkit/node'
import type { TillOptions } from '@tillkit/till'
import { expect, onTestFinished, vi } from 'vitest'
import { openShop } from '../shop.ts'
import { openBank } from './bank.ts'
import { bankProcessor } from './bank-processor.ts'
import { type Shown, type Walker, walker } from './walker.ts'

export const SOON = { timeout: 120_000, interval: 50 }
const ORDER = 'shelf?amount=1850&id=order-1&strict=true&table=7%20%26%20b'

/** A shop and its bank, each on a port of its own, and a customer who walks from one to the other. */
export async function openHighStreet(
  options: Partial<CheckoutOptions> = {},
  change: (processor: ReturnType<typeof bankProcessor>) => PaymentProcessor = processor => processor,
  tillOptions: Partial<TillOptions> = {},
) {
  const bank = await openBank()
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const logger = { warn: vi.fn(), error: vi.fn() }
  const own = bankProcessor(bank.url)
  const processor = change(own)
  // However busy the machine is: a page is what the bank said, not that it is waited for.
  const patient = { waitSeconds: 200, timeoutSeconds: 300 }
  const given = { qrBaseUrl: origin, https: 'off', logger, ...patient, ...options } as const
  const shop = await openShop({ ...given, processor }, tillOptions)
  server.on('request', toNode({ '/qr': shop.checkout.handler }))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
    await shop.checkout.close()
  })
  const scanned = `${origin}/qr/${ORDER}`
  const customer = walker()
  return {
    ...shop,
    ...{ bank, origin, logger, own, scanned, customer },
    /** A customer scans and presses, and has to go on at the bank. */
    async sent(by: Walker = customer, scan = scanned): Promise<Shown> {
      const page = await by.pay(await by.open(scan))
      expect([page.status, page.state]).toEqual([200, 'step'])
      return page
    },
    /** Waits until the page is as it should be, as somebody does who keeps looking. */
    async shows(url: string, state: string, by: Walker = customer): Promise<Shown> {
      return vi.waitFor(async () => {
        const page = await by.open(url)
        expect(page.state).toBe(state)
        return page
      }, SOON)
    },
    payment: () => shop.till.payments.get('books', 1),
  }
}
