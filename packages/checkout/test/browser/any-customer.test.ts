import { mkdir } from 'node:fs/promises'
import { browserContext, inBrowser } from '@tillkit/servers/browser'
import { DatabaseError } from '@tillkit/storage'
import { expect, test, vi } from 'vitest'
import { PHONE, visitShop } from './browser.ts'

inBrowser('any customer', () => {
  test('no JavaScript: the total is shown before it is charged, and a pending payment is waited for', async () => {
    const { page, scan, processor, till } = await visitShop({ ...PHONE, javaScriptEnabled: false })
    processor.answer = () => ({ status: 'pending' })
    await scan('table-1')
    await page.getByLabel('Amount').fill('12.50')
    await page.getByLabel('Tip').fill('1')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('alert').getByText('The total is €13.50.').waitFor()
    expect(processor.charged).toEqual([])
    await page.getByRole('button', { name: 'Pay €13.50' }).click()
    await page.getByRole('heading', { name: 'Waiting for the outcome' }).waitFor()
    await till.payments.complete({ merchantId: 'cafe', id: 1 })
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
    expect(processor.charged).toMatchObject([{ totalAmount: 1350, tipAmount: 100 }])
  })

  test('the keyboard alone', async () => {
    const { page, scan, processor } = await visitShop({ viewport: { width: 1280, height: 800 } })
    await scan('table-1')
    const focused = () => page.locator(':focus').getAttribute('name')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('amount')
    await page.keyboard.type('8')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('tip')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('reference')
    await page.keyboard.type('Anna')
    await page.keyboard.press('Tab')
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')
    expect([await page.locator(':focus').innerText(), outline]).toEqual(['Pay €8.00', 'solid'])
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
    expect(processor.charged).toMatchObject([{ totalAmount: 800, userReference: 'Anna' }])
  })

  test.each([
    ['a small phone', { width: 320, height: 568 }],
    ['an ordinary phone', { width: 390, height: 844 }],
    ['a phone on its side', { width: 667, height: 375 }],
  ])('%s: nothing sticks out, everything is large enough to touch', async (_, viewport) => {
    const { page, scan, till } = await visitShop({ ...PHONE, viewport })
    await till.merchants.update('cafe', {
      name: 'Donaudampfschifffahrtsgesellschaftskapitänskajüte '.repeat(3),
    })
    for (const target of [`table-1?id=${'x'.repeat(255)}`, 'shelf?amount=9007199254740991&id=1', 'nobody']) {
      await scan(target)
      expect(await page.evaluate(tooLarge)).toBe(false)
      expect(await page.evaluate(tooSmall)).toEqual([])
    }
  })

  test.each(['light', 'dark'] as const)('in %s colours every text can be read', async colorScheme => {
    const { page, scan, processor, till } = await visitShop(
      { ...PHONE, colorScheme },
      { brand: { name: 'Example Pay' }, logger: false },
    )
    const shots = process.env.CHECKOUT_SHOTS
    if (shots) await mkdir(shots, { recursive: true })
    const look = async (name: string) => {
      expect(await page.evaluate(contrasts)).toEqual([])
      if (shots) await page.screenshot({ path: `${shots}/${name}-${colorScheme}.png` })
    }
    await scan('shelf?id=HB-2042&amount=1850')
    await look('fixed')
    await page.getByRole('button').click()
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
    await look('paid')
    await scan('table-1')
    await page.getByLabel('Amount').fill('x')
    await page.getByRole('button').click()
    await page.getByRole('alert').waitFor()
    await look('wrong')
    processor.answer = () => ({ status: 'error' })
    await page.getByLabel('Amount').fill('5')
    await page.getByRole('button').click()
    await page.getByRole('heading', { name: 'Not paid' }).waitFor()
    await look('refused')
    for (const [name, link] of [
      ['wrong-link', 'shelf?amount=12.5'],
      ['renewed', `shelf/pay/${'A'.repeat(22)}?amount=1850`],
    ] as const) {
      await scan(link)
      await look(name)
    }
    await page.getByRole('button').click()
    await page.getByRole('heading', { name: 'Not paid' }).waitFor()
    const other = await (await browserContext({ ...PHONE, colorScheme })).newPage()
    await other.goto(page.url())
    expect(await other.evaluate(contrasts)).toEqual([])
    if (shots) await other.screenshot({ path: `${shots}/used-before-${colorScheme}.png` })
    vi.spyOn(till.scanCodes, 'get').mockRejectedValue(new DatabaseError('cannot reach the database'))
    await page.reload()
    await look('unavailable')
  })

  test('a screen reader finds a heading, a label on each field, and one main part', async () => {
    const { page, scan } = await visitShop()
    await scan('table-1?id=HB-1')
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
    expect(await page.getByRole('main').count()).toBe(1)
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
    expect(await page.getByRole('main').ariaSnapshot()).toMatchInlineSnapshot(`
      "- main:
        - heading "Pay to Corner Café" [level=1]
        - term: Order
        - definition: HB-1
        - text: Amount (€)
        - textbox "Amount (€)":
          - /placeholder: "12.50"
        - text: Tip (€, optional)
        - textbox "Tip (€, optional)"
        - text: Your reference (optional)
        - textbox "Your reference (optional)"
        - term: Total
        - definition:
          - status: –
        - button "Continue""
    `)
  })
})

/** Whether the page is wider than the window, evaluated in the page. */
const tooLarge = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'

/** What can be touched and is less than 48 pixels high, or is written so small that a phone would zoom in. */
const tooSmall = `[...document.querySelectorAll('button, .button, input:not([type=hidden])')]
  .filter(part => part.offsetHeight < 48 || parseFloat(getComputedStyle(part).fontSize) < 16)
  .map(part => part.outerHTML)`

/** The texts of the page that stand out from their ground by less than WCAG 2 asks for (AA), evaluated in the page. */
const contrasts = `(() => {
  const parse = text => text.match(/[\\d.]+/g).map(Number)
  const luminance = ([red, green, blue]) => [red, green, blue]
    .map(value => value / 255)
    .map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    .reduce((sum, value, i) => sum + value * [0.2126, 0.7152, 0.0722][i], 0)
  const ground = element => {
    for (let at = element; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor)
      if (colour.length === 3 || colour[3] === 1) return colour
    }
    return [255, 255, 255]
  }
  const faint = []
  for (const element of document.querySelectorAll('body *')) {
    const written = [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim())
    if (!written && !element.matches('input:not([type=hidden])')) continue
    const [light, dark] = [luminance(parse(getComputedStyle(element).color)), luminance(ground(element))].sort((a, b) => b - a)
    const ratio = (light + 0.05) / (dark + 0.05)
    if (ratio < 4.5) faint.push(element.outerHTML + ' ' + ratio)
  }
  return faint
})()`
