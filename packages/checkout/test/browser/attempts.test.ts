import { browserContext, inBrowser } from '@tillkit/servers/browser'
import { expect, test } from 'vitest'
import { PHONE, visitShop } from './browser.ts'

const order = 'shelf?id=HB-1&amount=1850'

inBrowser('an attempt is one browser’s', () => {
  test('a link that is handed to two customers: each pays for themselves, and sees only their own code', async () => {
    const { origin, opened, processor } = await visitShop()
    await opened.close()
    const link = `${origin}/qr/shelf/pay/${'A'.repeat(22)}?id=HB-1&amount=1850`
    const codes: string[] = []
    for (const customer of [1, 2]) {
      const page = await (await browserContext(PHONE)).newPage()
      await page.goto(link)
      await page.getByRole('button', { name: 'Pay €18.50' }).click()
      await page.getByRole('heading', { name: 'Paid' }).waitFor()
      expect(processor.charged).toHaveLength(customer)
      codes.push(processor.charged.at(-1)?.authCode ?? '')
      await page.getByText(codes.at(-1) ?? 'none', { exact: true }).waitFor()
    }
    expect(new Set(codes).size).toBe(2)
  })

  test('a receipt that is passed on, and a payment of one’s own from there', async () => {
    const { page, scan, processor } = await visitShop()
    await scan(order)
    await page.getByRole('button').click()
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
    const other = await (await browserContext(PHONE)).newPage()
    await other.goto(page.url())
    await other.getByRole('heading', { name: 'This link was used before' }).waitFor()
    expect(await other.content()).not.toContain(processor.charged[0]?.authCode)
    await other.getByRole('link', { name: 'Make another payment' }).click()
    await other.getByRole('button', { name: 'Pay €18.50' }).click()
    await other.getByRole('heading', { name: 'Paid' }).waitFor()
    expect(processor.charged).toHaveLength(2)
  })

  test('a window that is restored after the browser was ended comes to the payment', async () => {
    const { page, scan, opened, processor } = await visitShop()
    await scan(order)
    await page.getByRole('button').click()
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
    const storageState = await opened.storageState()
    // What outlives a browser are the cookies with a date.
    expect(storageState.cookies.filter(({ expires }) => expires > Date.now() / 1000)).toHaveLength(1)
    const address = page.url()
    await opened.close()
    const restored = await (await browserContext({ ...PHONE, storageState })).newPage()
    await restored.goto(address)
    await restored.getByRole('heading', { name: 'Paid' }).waitFor()
    expect(processor.charged).toHaveLength(1)
  })

  test('an amount changed in the address is a new payment, and shown before it is charged', async () => {
    const { page, scan, processor } = await visitShop()
    await scan(order)
    await page.goto(page.url().replace('1850', '1'))
    await page.getByText('This is a new payment.').waitFor()
    await page.getByRole('button', { name: 'Pay €0.01' }).click()
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
    const paid = page.url()
    await page.goto(paid.replace('amount=1', 'amount=1850'))
    await page.getByRole('button', { name: 'Pay €18.50' }).waitFor()
    expect(processor.charged).toHaveLength(1)
  })

  test.each([true, false])(
    'no cookies, JavaScript %s: the outcome is shown once, and nothing is paid twice',
    async javaScriptEnabled => {
      const { page, scan, processor } = await visitShop(
        { ...PHONE, javaScriptEnabled },
        {},
        { cookies: false },
      )
      await scan(order)
      await page.getByText('Your browser keeps no cookies').waitFor()
      await page.getByRole('button', { name: 'Pay €18.50' }).dblclick({ noWaitAfter: true })
      await page
        .getByRole('heading', { name: javaScriptEnabled ? 'Paid' : /Paid|This link was used before/ })
        .waitFor()
      const address = page.url()
      await page.goto('about:blank')
      await page.goto(address)
      await page.getByRole('heading', { name: 'This link was used before' }).waitFor()
      expect(await page.content()).not.toContain(processor.charged[0]?.authCode)
      expect(await page.locator('form').count()).toBe(0)
      await page.goBack()
      expect(processor.charged).toHaveLength(1)
    },
  )
})
