import { inBrowser } from '@tillkit/servers/browser'
import { expect, test } from 'vitest'
import { PHONE, visitShop } from './browser.ts'

const order = 'shelf?id=HB-2042&amount=1850&strict=true'

inBrowser('paying on a phone', () => {
  test('a fixed amount', async () => {
    const { page, scan, processor, till } = await visitShop()
    await scan(order)
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(/Pay to\s*Harbour Books/)
    for (const text of ['HB-2042', '€18.50']) await page.getByText(text, { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Pay €18.50' }).click()
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
    const payment = await till.payments.get('books', 1)
    expect(payment).toMatchObject({ status: 'completed', totalAmount: 1850, merchantReference: 'HB-2042' })
    await page.getByText(payment?.authCode ?? 'no code', { exact: true }).waitFor()
    expect(processor.charged).toHaveLength(1)
  })

  test('a free amount with a tip and a reference: the total is added up while it is typed', async () => {
    const { page, scan, processor } = await visitShop()
    await scan('table-1')
    await page.getByLabel('Amount').fill('12.50')
    await page.getByRole('button', { name: 'Pay €12.50' }).waitFor()
    await page.getByLabel('Tip').fill('x')
    await page.getByRole('button', { name: 'Continue' }).waitFor()
    await page.getByLabel('Tip').fill('1,5')
    await page.getByLabel('Your reference').fill('Table 4')
    expect(await page.getByRole('status').innerText()).toBe('€14.00')
    await page.getByRole('button', { name: 'Pay €14.00' }).click()
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
    expect(processor.charged).toMatchObject([{ totalAmount: 1400, tipAmount: 150, userReference: 'Table 4' }])
  })

  test('in the digits and signs of another locale and currency', async () => {
    const { page, scan, processor } = await visitShop(
      { ...PHONE, locale: 'ar-EG' },
      { currency: 'EGP', locale: 'ar-EG' },
    )
    await scan('table-1')
    await page.getByLabel('Amount').fill('١٬٢٥٠٫٥٠')
    await page.getByRole('button', { name: /Pay .*١٬٢٥٠٫٥٠/ }).click()
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
    expect(processor.charged).toMatchObject([{ totalAmount: 125050 }])
  })

  test('an amount that cannot be read: said at the field, which has the focus', async () => {
    const { page, scan, processor } = await visitShop()
    await scan('table-1')
    await page.getByLabel('Amount').fill('twelve')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('alert').getByText('Enter the amount like this: 12.50').waitFor()
    expect(await page.locator(':focus').getAttribute('id')).toBe('amount')
    await page.keyboard.press('Control+A')
    await page.keyboard.type('12')
    await page.getByRole('button', { name: 'Pay €12.00' }).click()
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
    expect(processor.charged).toHaveLength(1)
  })

  test('a refused card, and another try', async () => {
    const { page, scan, processor, till } = await visitShop()
    processor.answer = () => ({ status: 'error', failure: 'card_declined' })
    await scan(order)
    await page.getByRole('button').click()
    await page.getByRole('heading', { name: 'Not paid' }).waitFor()
    await page.getByText('The card was declined.').waitFor()
    processor.answer = () => ({ status: 'completed' })
    await page.getByRole('link', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'Pay €18.50' }).click()
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
    const { items } = await till.payments.list('books')
    expect(items.map(({ status }) => status)).toEqual(['completed', 'error'])
  })

  test('a pending one that completes while the page waits', async () => {
    const { page, scan, processor, till } = await visitShop()
    processor.answer = () => ({ status: 'pending' })
    await scan(order)
    await page.getByRole('button').click()
    await page.getByRole('heading', { name: 'Waiting for the outcome' }).waitFor()
    const { address } = { address: page.url() }
    await till.payments.complete({ merchantId: 'books', id: 1 })
    await page.getByRole('status').getByRole('heading', { name: 'Paid' }).waitFor()
    expect(await page.title()).toBe('Paid – Harbour Books')
    expect(page.url()).toBe(address)
    expect(processor.charged).toHaveLength(1)
  })

  test('a processor that does not answer: the page says so, waits, and shows what is known later', async () => {
    const options = { waitSeconds: 0.05, timeoutSeconds: 0.1 }
    const { page, scan, processor, till, checkout } = await visitShop(PHONE, options)
    processor.answer = () => new Promise(() => {})
    await scan(order)
    await page.getByRole('button').click()
    await page.getByText('you will not be charged twice').waitFor()
    await checkout.close()
    expect(await till.payments.get('books', 1)).toMatchObject({ status: 'pending' })
    await till.payments.fail({ merchantId: 'books', id: 1 }, { failure: 'stale' })
    await page.getByRole('heading', { name: 'Not paid' }).waitFor()
  })

  test('an order that is being paid on another phone: the page turns into the form when that fails', async () => {
    const { page, scan, processor, till } = await visitShop()
    processor.answer = () => ({ status: 'pending' })
    await scan(order)
    await page.getByRole('button').click()
    await page.getByRole('heading', { name: 'Waiting for the outcome' }).waitFor()
    await scan(order)
    await page.getByRole('heading', { name: 'Being paid' }).waitFor()
    await till.payments.fail({ merchantId: 'books', id: 1 })
    await page.getByRole('button', { name: 'Pay €18.50' }).waitFor()
  })

  test('a strict reference that is paid', async () => {
    const { page, scan, processor } = await visitShop()
    await scan(order)
    await page.getByRole('button').click()
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
    await scan(order)
    await page.getByRole('heading', { name: 'Already paid' }).waitFor()
    expect(await page.getByRole('button').count()).toBe(0)
    expect(processor.charged).toHaveLength(1)
  })
})
