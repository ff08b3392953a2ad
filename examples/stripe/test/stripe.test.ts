import { once } from 'node:events'
import { freePort } from '@tillkit/servers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { buildShop } from '../src/build.ts'
import { stripeProcessor } from '../src/processor.ts'
import { openStandIn, type StandIn } from '../src/stand-in/stand-in.ts'

let standIn: StandIn
let shop: Awaited<ReturnType<typeof buildShop>>
let scanned: string

beforeEach(async () => {
  standIn = await openStandIn()
  shop = await openShop(standIn)
})

afterEach(async () => {
  await shop.close()
  await standIn.close()
})

async function openShop(stripe: StandIn) {
  const port = await freePort()
  const qrBaseUrl = `http://127.0.0.1:${port}`
  const opened = await buildShop({ file: ':memory:', stripe: stripe.client(), qrBaseUrl, https: 'off' })
  await opened.till.merchants.create({ id: 'coffee', name: 'Corner Coffee' })
  await opened.till.scanCodes.create('coffee', { code: 'counter' })
  opened.server.listen(port, '127.0.0.1')
  await once(opened.server, 'listening')
  scanned = `${qrBaseUrl}/qr/counter?id=order-1&amount=1850`
  return opened
}

/** A customer's browser: follows redirects and keeps the cookie of the shop. */
function customer() {
  let cookie = ''
  async function open(url: string, body?: Record<string, string>): Promise<{ url: string; text: string }> {
    const form = body && { method: 'POST', body: new URLSearchParams(body) }
    const response = await fetch(url, { ...form, redirect: 'manual', headers: { cookie } })
    cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie
    const location = response.headers.get('location')
    return location ? open(new URL(location, url).href) : { url, text: await response.text() }
  }
  return {
    open,
    async pay(payment_method: string) {
      const { url } = await open(scanned)
      return open(url, { total: '1850', payment_method })
    },
  }
}

const wayOn = (text: string) =>
  (/data-go href="([^"]*)"/.exec(text)?.[1] ?? '').replace(/&#(\d+);/g, (_, code) =>
    String.fromCharCode(Number(code)),
  )

test('a customer pays by card, and another is declined', async () => {
  expect((await customer().pay('pm_card_visa')).text).toMatch(/<h1>Paid<\/h1>.*€18\.50/s)
  const declined = await customer().pay('pm_card_visa_chargeDeclined')
  expect(declined.text).toMatch(/<h1>Not paid<\/h1>.*The card was declined/s)
  expect([...standIn.intents.values()].map(({ status }) => status)).toEqual(['succeeded', 'canceled'])
})

test('a customer confirms on Stripe’s page and comes back paid; one who fails there is not', async () => {
  for (const [decision, heading] of [
    ['complete', 'Paid'],
    ['fail', 'Not paid'],
  ] as const) {
    const { open, pay } = customer()
    const step = await pay('pm_card_authenticationRequired')
    expect(step.text).toContain('<h1>Confirm your payment</h1>')
    expect((await open(wayOn(step.text))).text).toContain('Complete authentication')
    const back = await open(wayOn(step.text), { decision })
    expect(back.text).toContain(`<h1>${heading}</h1>`)
    // Stripe's own parameters are left behind.
    expect(back.url).not.toContain('payment_intent')
  }
})

test('a customer who confirms and never comes back has paid, by reconcile', async () => {
  const { pay } = customer()
  const step = await pay('ideal')
  await fetch(wayOn(step.text), {
    method: 'POST',
    body: new URLSearchParams({ decision: 'complete' }),
    redirect: 'manual',
  })
  const { lookup } = stripeProcessor(standIn.client(), { currency: 'eur' })
  expect(await shop.till.payments.reconcile(lookup, { olderThanSeconds: 0 })).toMatchObject({ completed: 1 })
  expect(await shop.till.payments.get('coffee', 1)).toMatchObject({ status: 'completed', totalAmount: 1850 })
})

test('a charge whose answer is lost is found, and made once', async () => {
  standIn.faults.push({ of: /\/confirm$/, when: 'after', what: 500 })
  const { open, pay } = customer()
  const { url } = await pay('pm_card_visa')
  await vi.waitFor(async () => expect((await open(url)).text).toContain('<h1>Paid</h1>'), {
    timeout: 60_000,
    interval: 200,
  })
  expect(standIn.intents.size).toBe(1)
})
