import { readFile } from 'node:fs/promises'
import { inBrowser } from '@tillkit/servers/browser'
import { expect, test } from 'vitest'
import { PHONE, visitShop } from './browser.ts'

const shop = {
  tips: [{ percent: 5 }, { percent: 12.5 }, { amount: 200 }],
  returnOrigins: ['https://shop.example'],
}

inBrowser('a shop’s page', () => {
  test('tips are added up as they are chosen, and one that is typed takes their place', async () => {
    const { page, scan, processor } = await visitShop(PHONE, { shop })
    await scan('table-1')
    await page.getByRole('radio', { name: '12.5%' }).check()
    await page.getByRole('button', { name: 'Continue' }).waitFor()
    await page.getByLabel('Amount').fill('18.50')
    await page.getByRole('button', { name: 'Pay €20.81' }).waitFor()
    expect(await page.getByRole('radio', { name: '12.5%' }).locator('xpath=..').innerText()).toMatch(
      /12\.5%\s*€2\.31/,
    )
    expect(await page.locator('#tip').isVisible()).toBe(false)
    await page.getByRole('radio', { name: 'Another tip' }).check()
    await page.keyboard.type('3')
    await page.getByRole('button', { name: 'Pay €21.50' }).waitFor()
    expect(await page.getByRole('radio', { name: 'Another tip' }).isChecked()).toBe(true)
    await page.getByRole('radio', { name: '€2.00' }).check()
    expect(await page.locator('#tip').inputValue()).toBe('')
    await page.getByRole('button', { name: 'Pay €20.50' }).click()
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
    expect(processor.charged).toMatchObject([{ totalAmount: 2050, tipAmount: 200 }])
  })

  test.each([true, false])(
    'an amount that can be read in two ways is asked about; JavaScript: %s',
    async javaScriptEnabled => {
      const { page, scan, processor } = await visitShop({ ...PHONE, javaScriptEnabled })
      await scan('shelf')
      await page.getByLabel('Amount').fill('1.250')
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('alert').getByText('Which amount do you mean?').waitFor()
      await page.getByRole('button', { name: '€1.25', exact: true }).click()
      await page.getByRole('button', { name: 'Pay €1.25' }).waitFor()
      expect(await page.getByLabel('Amount').inputValue()).toBe('1.25')
      expect(processor.charged).toEqual([])
      await page.getByRole('button', { name: 'Pay €1.25' }).click()
      await page.getByRole('heading', { name: 'Paid' }).waitFor()
      expect(processor.charged).toMatchObject([{ totalAmount: 125 }])
    },
  )

  test('the script and the server read amounts and round tips alike', async () => {
    const { page, scan, processor, till } = await visitShop(
      { ...PHONE, locale: 'de-CH' },
      { shop, currency: 'CHF' },
    )
    await scan('table-1')
    for (const [typed, shown] of [
      ['1’234.50', '1’388.81'],
      ["1'234.50", '1’388.81'],
      ['1.234,5', '1’388.81'],
      ['0.04', '0.05'],
      ['0,03', '0.03'],
    ] as const) {
      await page.getByLabel('Betrag').fill(typed)
      await page.getByRole('radio', { name: /^12[.,]5/ }).check()
      const button = page.locator('.pay')
      expect((await button.innerText()).replace("'", '’')).toContain(shown)
    }
    await page.getByLabel('Betrag').fill('0.04')
    await page.locator('.pay').click()
    await page.getByRole('heading', { name: 'Bezahlt' }).waitFor()
    expect(processor.charged).toMatchObject([{ totalAmount: 5, tipAmount: 1 }])
    expect((await till.payments.list('cafe')).total).toBe(1)
  })

  test('the receipt prints without its buttons, and is saved without JavaScript', async () => {
    const { page, scan } = await visitShop(
      { ...PHONE, javaScriptEnabled: false, colorScheme: 'dark' },
      { shop },
    )
    await scan('shelf?id=HB-1&amount=1850&returnUrl=https%3A%2F%2Fshop.example%2Fthanks%3Forder%3D1')
    await page.getByRole('button', { name: 'Pay €18.50' }).click()
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
    const back = page.getByRole('link', { name: 'Back to Harbour Books' })
    expect(await back.getAttribute('href')).toBe('https://shop.example/thanks?order=1')

    const saved = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Save the receipt' }).click()
    const download = await saved
    expect(download.suggestedFilename()).toMatch(/^receipt-\d{14}\.html$/)
    expect(await readFile(await download.path(), 'utf8')).toContain('€18.50')

    await page.emulateMedia({ media: 'print' })
    for (const link of await page.getByRole('link').all()) expect(await link.isVisible()).toBe(false)
    const colours =
      'const { color, backgroundColor } = getComputedStyle(document.querySelector("main")); [color, backgroundColor]'
    expect(await page.evaluate(`(() => { ${colours.replace('; [', '; return [')} })()`)).toEqual([
      'rgb(0, 0, 0)',
      'rgb(255, 255, 255)',
    ])
    await page.getByText('€18.50').waitFor()
  })

  test('an end to waiting, without a reload', async () => {
    let now = new Date('2026-11-20T09:30:00Z')
    const { page, scan, processor, till } = await visitShop(PHONE, {}, { clock: () => now })
    processor.answer = () => ({ status: 'pending' })
    await scan('shelf?amount=1850')
    await page.getByRole('button').click()
    await page.getByText('You may close this page').waitFor()
    now = new Date('2026-11-20T09:36:00Z')
    await page.getByRole('heading', { name: 'Still no outcome' }).waitFor()
    await till.payments.complete({ merchantId: 'books', id: 1 })
    await page.getByRole('link', { name: 'Look again' }).click()
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
  })
})
