import { PERMISSIONS } from '@tillkit/console'
import { inBrowser } from '@tillkit/servers/browser'
import { expect, test } from 'vitest'
import { DESK, PHONE, visitDesk } from './browser.ts'

inBrowser('at work', () => {
  for (const javaScriptEnabled of [true, false]) {
    const how = javaScriptEnabled ? 'with JavaScript' : 'without JavaScript'

    test(`${how}: from the address of the mount to a merchant that is suspended`, async () => {
      const { page, open, till } = await visitDesk({ ...PHONE, javaScriptEnabled })
      for (const mount of ['', '/']) {
        await open(mount)
        await page.waitForURL('**/back/office/today')
      }
      await page.getByRole('link', { name: 'Merchants' }).first().click()
      await page.getByLabel('Find').fill('corner')
      await page.getByRole('button', { name: 'Find' }).click()
      await page.getByRole('link', { name: 'Corner Café' }).click()
      await page.getByRole('link', { name: 'Account' }).click()
      await page.getByText('Suspend…').click()
      await page.getByRole('button', { name: 'Suspend' }).click()
      await page.getByText('The merchant is suspended.').waitFor()
      expect((await till.merchants.get('cafe'))?.suspendedAt === null).toBe(false)
    })

    test(`${how}: a key is issued, and shown once`, async () => {
      const { page, open, till } = await visitDesk({ ...DESK, javaScriptEnabled })
      await open('/m-cafe/account')
      await page.getByText('Issue a key…').click()
      await page.getByLabel('Label').fill('Till 2')
      await page.getByRole('button', { name: 'Issue' }).first().click()
      const key = await page.getByLabel(/^API key/).inputValue()
      expect((await till.authenticate(key))?.id).toBe('cafe')
      await page.getByRole('link', { name: 'Back to the account' }).click()
      await page.getByText('Till 2', { exact: true }).waitFor()
      expect(await page.content()).not.toContain(key)
    })

    test(`${how}: payments are filtered, and one is jumped to`, async () => {
      const { page, open } = await visitDesk({ ...PHONE, javaScriptEnabled })
      await open('/m-cafe/payments')
      await page.getByText('Filter', { exact: true }).first().click()
      await page.getByLabel('error').check()
      await page.getByRole('button', { name: 'Filter' }).click()
      await page.getByText('3 in all').waitFor()
      await page.getByLabel('Jump to a payment').fill('order-7')
      await page.getByRole('button', { name: 'Find' }).click()
      await page.getByRole('heading', { name: 'Payment 8' }).waitFor()
    })
  }

  test('by keyboard alone: to the content, into a form, and it is sent', async () => {
    const { page, open, till } = await visitDesk(DESK)
    await open('/m-cafe/codes')
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').innerText()).toBe('To the content')
    await page.keyboard.press('Enter')
    const focus = async () => page.locator(':focus').evaluate(element => element.textContent ?? '')
    for (let n = 0; n < 30 && (await focus()) !== 'Add a code…'; n++) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Bar')
    await page.keyboard.press('Tab')
    await page.keyboard.type('bar-1')
    await page.keyboard.press('Enter')
    await page.getByText('The code was added.').waitFor()
    expect(await till.scanCodes.get('bar-1')).toMatchObject({ reference: 'Bar' })
  })

  test('what is live comes by itself', async () => {
    const { page, open, till } = await visitDesk(DESK)
    await open('/m-cafe/payments/13')
    await page.getByText('not known yet').waitFor()
    await till.payments.complete({ merchantId: 'cafe', id: 13 })
    await page.getByText('not known yet').waitFor({ state: 'detached' })
  })

  test('what is ticked stays so when what is live comes', async () => {
    const { page, open } = await visitDesk(DESK)
    await open('/m-cafe/webhooks?state=exhausted')
    const box = page.locator('#deliveries input[type=checkbox]').first()
    await box.check()
    // As in browsers that give no focus to what is clicked.
    await box.evaluate(element => element.blur())
    const live = () =>
      page.waitForResponse(answer => answer.request().headers()['x-console-live'] === '1', {
        timeout: 60_000,
      })
    await live()
    // By the next one the first has been put there.
    await live()
    expect(await box.isChecked()).toBe(true)
  })

  test('who may only read sees the pages, and on none of them a form that does anything', async () => {
    const { page, open, till } = await visitDesk(PHONE, { operator: { name: 'Rita', permissions: ['read'] } })
    const paths = [
      ...['/today', '/merchants', '/webhooks', '/unresolved', '/settlements', '/m-cafe/today'],
      ...['/m-cafe/payments', '/m-cafe/payments/4', '/m-cafe/cash-ups', '/m-cafe/codes', '/m-cafe/webhooks'],
      '/m-cafe/account',
    ]
    for (const path of paths) {
      expect([path, (await open(path))?.status()]).toEqual([path, 200])
      expect([path, await page.locator('form[method=post]').count()]).toEqual([path, 0])
    }
    for (const path of ['/actions', '/merchants/new', '/settlements/import']) {
      expect([path, (await open(path))?.status()]).toEqual([path, 404])
    }
    expect((await till.merchants.get('cafe'))?.suspendedAt).toBeNull()
  })

  test('who may see one merchant begins in its portal; who may nothing sees nothing', async () => {
    const { page, open } = await visitDesk(PHONE, {
      operator: { name: 'Mo', permissions: PERMISSIONS, merchants: ['books'] },
    })
    await open('')
    await page.waitForURL('**/back/office/m-books/today')
    expect(await page.getByRole('link', { name: 'Merchants' }).count()).toBe(0)
    await open('/m-cafe/payments')
    await page.getByRole('heading', { name: 'Not found' }).waitFor()
    const nobody = await visitDesk(PHONE, { operator: { name: 'Nil', permissions: [] } })
    await nobody.open('/today')
    await nobody.page.getByRole('heading', { name: 'Not found' }).waitFor()
  })
})
