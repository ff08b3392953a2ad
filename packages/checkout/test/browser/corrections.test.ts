import { mkdir } from 'node:fs/promises'
import { inBrowser } from '@tillkit/servers/browser'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { PHONE, visitShop } from './browser.ts'

const DESK = { viewport: { width: 1280, height: 800 } }
const devices = [
  ['a phone', PHONE],
  ['a desk', DESK],
] as const

/** How a field looks, evaluated in the page. */
async function lookOf(page: Page, id: string): Promise<string> {
  return page.evaluate(`(() => {
    const { borderTopColor, borderTopWidth } = getComputedStyle(document.getElementById(${JSON.stringify(id)}))
    return borderTopColor + ' ' + borderTopWidth
  })()`)
}

inBrowser('a correction takes the error away at once', () => {
  for (const [device, context] of devices) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`on ${device}, in ${colorScheme} colours`, async () => {
        const { page, scan, processor } = await visitShop({ ...context, colorScheme })
        const shots = process.env.CHECKOUT_SHOTS
        if (shots) await mkdir(shots, { recursive: true })
        const shot = async (name: string) =>
          shots && (await page.screenshot({ path: `${shots}/${name}-${device.slice(2)}-${colorScheme}.png` }))
        await scan('table-1')
        await page.evaluate('document.activeElement.blur()')
        const plain = await lookOf(page, 'tip')
        await page.getByLabel('Amount').fill('twelve')
        await page.getByLabel('Tip').fill('a bit')
        await page.getByRole('button').click()
        await page.getByRole('alert').first().waitFor()
        for (const id of ['amount', 'tip']) {
          expect(await page.locator(`#${id}`).getAttribute('aria-invalid')).toBe('true')
          expect(await lookOf(page, id)).not.toBe(plain)
        }
        await shot('wrong')

        const amount = page.getByLabel('Amount')
        await amount.fill('twelve!')
        expect(await amount.getAttribute('aria-invalid')).toBe('true')
        await amount.fill('12')
        expect(await page.getByText('Enter the amount like this').count()).toBe(0)
        expect(await amount.getAttribute('aria-invalid')).toBeNull()
        expect(await amount.getAttribute('aria-describedby')).toBeNull()
        await page.getByText('Enter the tip like this').waitFor()
        await page.getByLabel('Tip').fill('')
        expect(await page.getByRole('alert').count()).toBe(0)
        expect(await page.locator('[aria-invalid]').count()).toBe(0)
        await page.evaluate('document.activeElement.blur()')
        for (const id of ['amount', 'tip']) expect(await lookOf(page, id)).toBe(plain)
        await shot('mended')
        await page.getByRole('button', { name: 'Pay €12.00' }).click()
        await page.getByRole('heading', { name: 'Paid' }).waitFor()
        expect(processor.charged).toMatchObject([{ totalAmount: 1200 }])
      })
    }
  }

  test('nothing at all, mended by a tip; a reference that is too long', async () => {
    const { page, scan, processor } = await visitShop()
    await scan('table-1')
    await page.getByLabel('Amount').fill('0')
    await page.evaluate('document.getElementById("reference").removeAttribute("maxlength")')
    await page.getByLabel('Your reference').fill('x'.repeat(256))
    await page.getByRole('button').click()
    await page.getByText('Enter a shorter reference').waitFor()
    expect(await page.locator('[aria-invalid]').count()).toBe(2)
    await page.getByLabel('Tip').fill('1')
    expect(await page.locator('#amount[aria-invalid]').count()).toBe(0)
    await page.getByLabel('Your reference').fill('x'.repeat(255))
    expect(await page.locator('[aria-invalid], .wrong').count()).toBe(0)
    await page.getByRole('button', { name: 'Pay €1.00' }).click()
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
    expect(processor.charged).toMatchObject([{ totalAmount: 100, tipAmount: 100 }])
  })

  test('a total to be checked is not spoken of any more once it has changed', async () => {
    const { page, scan } = await visitShop()
    await scan('table-1?amount=1000')
    await page.goto(page.url().replace('1000', '2000'))
    await page.getByText('The total is €20.00.').waitFor()
    await page.getByLabel('Tip').fill('1')
    expect(await page.getByText('The total is').count()).toBe(0)
    await page.getByText('This is a new payment.').waitFor()
  })
})
