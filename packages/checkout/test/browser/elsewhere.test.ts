import type { CheckoutOptions } from '@tillkit/checkout'
import { inBrowser } from '@tillkit/servers/browser'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openBank } from '../elsewhere/bank.ts'
import { bankProcessor } from '../elsewhere/bank-processor.ts'
import { PHONE, visitShop } from './browser.ts'

const ORDER = 'shelf?amount=1850&id=order-1'

async function visit(options: Partial<CheckoutOptions> = {}, context: BrowserContextOptions = PHONE) {
  const bank = await openBank()
  const shop = await visitShop(context, { processor: bankProcessor(bank.url), ...options })
  const { page, scan, till } = shop
  return {
    ...shop,
    bank,
    /** Scans and presses. */
    async press() {
      await scan(ORDER)
      await page.getByRole('button', { name: 'Pay €18.50' }).click()
    },
    async isPaidOnce() {
      expect(await till.payments.get('books', 1)).toMatchObject({ status: 'completed' })
      expect((await till.payments.list('books')).total).toBe(1)
      expect(bank.only().booked).toBe(1)
    },
  }
}

const atBank = (page: Page) => page.getByRole('heading', { name: 'Bank' }).waitFor()
const asked = (page: Page) => page.getByRole('heading', { name: 'Confirm your payment' }).waitFor()
const paid = (page: Page) => page.getByRole('heading', { name: 'Paid' }).waitFor()
const approve = (page: Page) => page.getByRole('button', { name: 'approve' }).click()

inBrowser('a payment that is confirmed elsewhere', () => {
  test.each(['redirect', 'action'] as const)('by %s: one press leads there, and the bank back', async how => {
    const { bank, page, press, isPaidOnce } = await visit()
    bank.how = how
    await press()
    await atBank(page)
    await approve(page)
    await paid(page)
    await isPaidOnce()
  })

  test.each(['redirect', 'action'] as const)('by %s without JavaScript: by one more button', async how => {
    const { bank, page, press, isPaidOnce } = await visit({}, { ...PHONE, javaScriptEnabled: false })
    Object.assign(bank, { how, postsBack: true })
    await press()
    await asked(page)
    await page.getByText('Go on to confirm').click()
    await atBank(page)
    await approve(page)
    await page.getByRole('button', { name: 'Back to the shop' }).click()
    await paid(page)
    await isPaidOnce()
  })

  test('back from the bank the customer is asked, and not sent there again', async () => {
    const { page, press, isPaidOnce, origin } = await visit()
    await page.goto(`${origin}/qr/nobody`)
    await press()
    await atBank(page)
    await page.getByRole('link', { name: 'leave' }).click()
    await asked(page)
    await page.reload()
    await asked(page)
    await page.getByRole('link', { name: 'Go on to confirm' }).click()
    await atBank(page)
    await page.goBack()
    await asked(page)
    await page.getByRole('link', { name: 'Go on to confirm' }).click()
    await atBank(page)
    await approve(page)
    await paid(page)
    await isPaidOnce()
  })

  test('a page that waits for the bank’s answer goes on by itself', async () => {
    const { bank, page, press, isPaidOnce } = await visit({ waitSeconds: 0.2 })
    const go = Promise.withResolvers<void>()
    bank.onCharged = () => go.promise
    await press()
    await page.getByRole('heading', { name: 'Waiting for the outcome' }).waitFor()
    go.resolve()
    await atBank(page)
    await approve(page)
    await paid(page)
    await isPaidOnce()
  })

  test('a second tab asks, does not go there by itself, and shows the outcome when it is there', async () => {
    const { page, opened, press, isPaidOnce } = await visit()
    await press()
    await atBank(page)
    const other = await opened.newPage()
    await other.goto(await backOf(page))
    await asked(other)
    await approve(page)
    await paid(page)
    await paid(other)
    await isPaidOnce()
  })

  test('a bank that redirects the posted form on to another origin needs that one in the policy', async () => {
    const elsewhere = await openBank()
    const { bank, page, press, till } = await visit({ policy: { 'form-action': elsewhere.url } })
    bank.how = 'action'
    bank.sendsFormTo = `${elsewhere.url}/confirm/`
    await press()
    await page.waitForURL(`${elsewhere.url}/**`)
    expect(await till.payments.get('books', 1)).toMatchObject({ status: 'pending' })
  })
})

/** The address that the bank's page leads back to. */
async function backOf(page: Page): Promise<string> {
  return (await page.getByRole('link', { name: 'leave' }).getAttribute('href')) ?? ''
}
