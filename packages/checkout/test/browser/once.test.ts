import { inBrowser } from '@tillkit/servers/browser'
import { expect, test } from 'vitest'
import { PHONE, visitShop } from './browser.ts'

inBrowser('one charge, whatever the customer does', () => {
  const slow = { waitSeconds: 0.3 }

  test('the double press', async () => {
    const { page, scan, processor, till } = await visitShop(PHONE, slow)
    const { promise, resolve } = Promise.withResolvers<{ status: 'completed' }>()
    processor.answer = () => promise
    await scan('shelf?amount=1850')
    await page.getByRole('button').dblclick({ noWaitAfter: true })
    await page.getByRole('heading', { name: 'Waiting for the outcome' }).waitFor()
    resolve({ status: 'completed' })
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
    expect(processor.charged).toHaveLength(1)
    expect((await till.payments.list('books')).total).toBe(1)
  })

  test('the double press without JavaScript, where nothing holds the second one back', async () => {
    const { page, scan, processor, till } = await visitShop({ ...PHONE, javaScriptEnabled: false }, slow)
    const { promise, resolve } = Promise.withResolvers<{ status: 'completed' }>()
    processor.answer = () => promise
    await scan('shelf?amount=1850')
    await page.getByRole('button').dblclick({ noWaitAfter: true })
    await page.getByRole('heading', { name: 'Waiting for the outcome' }).waitFor()
    resolve({ status: 'completed' })
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
    expect(processor.charged).toHaveLength(1)
    expect((await till.payments.list('books')).total).toBe(1)
  })

  test('reload, back and forward', async () => {
    const { page, scan, processor, origin } = await visitShop()
    await page.goto(`${origin}/qr/nobody`)
    await scan('shelf?amount=1850')
    await page.getByRole('button').click()
    const paid = page.getByRole('heading', { name: 'Paid' })
    await paid.waitFor()
    await page.reload()
    await paid.waitFor()
    await page.goBack()
    await page.goForward()
    await paid.waitFor()
    expect(await page.getByRole('button').count()).toBe(0)
    expect(processor.charged).toHaveLength(1)
  })

  test('two windows on one attempt: the second press finds the payment of the first', async () => {
    const { page, opened, scan, processor } = await visitShop()
    await scan('shelf?amount=1850')
    const other = await opened.newPage()
    await other.goto(page.url())
    await page.getByRole('button').click()
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
    await other.getByRole('button', { name: 'Pay €18.50' }).click()
    await other.getByRole('heading', { name: 'Paid' }).waitFor()
    expect(processor.charged).toHaveLength(1)
  })
})
