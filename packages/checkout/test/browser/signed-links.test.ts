import { type PaymentParameters, paymentUrl } from '@tillkit/qr'
import { inBrowser } from '@tillkit/servers/browser'
import { expect, test } from 'vitest'
import { PHONE, visitShop } from './browser.ts'

const key = 'k1-0123456789abcdef0123456789abcdef'

inBrowser('signed links', () => {
  // An apostrophe, a space and letters beyond ASCII: what browsers write in another way than the link.
  const order: PaymentParameters = {
    scanCode: 'shelf',
    merchantReference: "Zoë's order (1)*!",
    requiredAmount: 1850,
    strict: true,
    extra: { "it's": 'a+b c~', '': '"<|>`{}^' },
  }

  test('are paid as they come out of the code; one that was changed in the address bar is not', async () => {
    const { page, origin, processor } = await visitShop(PHONE, { paymentKeys: [key] })
    const url = paymentUrl({ qrBaseUrl: origin, ...order }, { key, expiresAt: '2900-01-01T00:00:00Z' })

    await page.goto(url.replace('amount=1850', 'amount=1'))
    await page.getByRole('heading', { name: 'This link is not right' }).waitFor()
    await page.getByText('It was changed, or it was not made by whom you want to pay.').waitFor()
    expect(await page.getByRole('button').count()).toBe(0)

    await page.goto(url)
    await page.goto(page.url().replace('amount=1850', 'amount=1'))
    await page.getByRole('heading', { name: 'This link is not right' }).waitFor()

    await page.goBack()
    await page.getByRole('button', { name: 'Pay €18.50' }).click()
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
    await page.goto(url)
    await page.getByRole('heading', { name: 'Already paid' }).waitFor()
    expect(processor.charged).toMatchObject([
      { totalAmount: 1850, merchantReference: order.merchantReference, extra: order.extra },
    ])
  })

  test('that have ended say so', async () => {
    const { page, origin } = await visitShop(PHONE, { paymentKeys: [key] })
    await page.goto(paymentUrl({ qrBaseUrl: origin, ...order }, { key, expiresAt: '2001-01-01T00:00:00Z' }))
    await page.getByText('It has ended.').waitFor()
  })
})
