import { mkdir } from 'node:fs/promises'
import { browserContext, inBrowser } from '@tillkit/servers/browser'
import { DatabaseError } from '@tillkit/storage'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { PHONE, visitShop } from './browser.ts'

const WIDTHS = [320, 1280]

/** axe-core looks at every element of two dozen pages: on a machine with a lot else to do that takes a while. */
const PATIENCE = { timeout: 900_000 }
const shop = {
  minimumAmount: 100,
  maximumAmount: 100_000,
  tips: [{ percent: 5 }, { percent: 12.5 }, { amount: 200 }],
  returnOrigins: ['https://shop.example'],
}
const back = 'returnUrl=https%3A%2F%2Fshop.example%2F'

/** What axe-core has to say against a page, in light and dark, from the narrowest phone to a desk. */
async function violations(page: Page, name: string): Promise<string[]> {
  const found: string[] = []
  const shots = process.env.CHECKOUT_SHOTS
  if (shots) await mkdir(shots, { recursive: true })
  await page.evaluate(axe.source)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 844 })
      const { violations } = (await page.evaluate(
        "axe.run(document, { resultTypes: ['violations'] })",
      )) as axe.AxeResults
      for (const { id, nodes } of violations)
        found.push(`${name}, ${colorScheme}, ${width}: ${id} ${nodes.map(({ html }) => html).join(' ')}`)
      if (await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth'))
        found.push(`${name}, ${width}: sticks out`)
      for (const faint of (await page.evaluate(faintPlaceholders)) as string[])
        found.push(`${name}, ${colorScheme}: ${faint}`)
      if (shots)
        await page.screenshot({ path: `${shots}/${name}-${colorScheme}-${width}.png`, fullPage: true })
    }
  }
  return found
}

inBrowser('axe-core', () => {
  test('has nothing to say against any form', PATIENCE, async () => {
    const { page, scan } = await visitShop(
      { viewport: PHONE.viewport ?? null },
      { shop, brand: { name: 'Example Pay' } },
    )
    await scan(`table-1?id=HB-2042&${back}`)
    expect(await violations(page, 'form')).toEqual([])
    await page.getByLabel('Amount').fill('1.250')
    await page.getByRole('radio', { name: 'Another tip' }).check()
    await page.keyboard.type('x')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Which amount do you mean?').waitFor()
    expect(await violations(page, 'wrong')).toEqual([])
    await scan('shelf?id=HB-2042&amount=1850')
    expect(await violations(page, 'fixed')).toEqual([])
    await page.goto(page.url().replace(/pay\/[^?]*/, `pay/${'A'.repeat(22)}`))
    expect(await violations(page, 'renewed')).toEqual([])
  })

  test('nor against any outcome', PATIENCE, async () => {
    let now = new Date('2026-11-20T09:30:00Z')
    const { page, scan, processor } = await visitShop(
      { viewport: PHONE.viewport ?? null },
      { shop },
      { clock: () => now },
    )
    const pay = async (status: 'completed' | 'error' | 'pending', heading: string) => {
      processor.answer = () => ({ status })
      await scan(`shelf?id=HB-${status}&amount=1850&strict=true&${back}`)
      await page.getByRole('button', { name: 'Pay €18.50' }).click()
      await page.getByRole('heading', { name: heading }).waitFor()
      expect(await violations(page, status)).toEqual([])
    }
    await pay('completed', 'Paid')
    await pay('error', 'Not paid')
    await pay('pending', 'Waiting for the outcome')
    now = new Date('2026-11-20T10:30:00Z')
    await page.getByRole('heading', { name: 'Still no outcome' }).waitFor()
    expect(await violations(page, 'waited')).toEqual([])
    await scan(`shelf?id=HB-completed&amount=1850&strict=true&${back}`)
    await page.getByRole('heading', { name: 'Already paid' }).waitFor()
    expect(await violations(page, 'taken')).toEqual([])
  })

  test('nor against any message', PATIENCE, async () => {
    const { page, scan, till } = await visitShop({ viewport: PHONE.viewport ?? null }, { logger: false })
    await scan('nobody')
    expect(await violations(page, 'unknown')).toEqual([])
    await scan('shelf?amount=12.5')
    expect(await violations(page, 'wrong-link')).toEqual([])
    await scan('shelf?amount=500')
    await page.getByRole('button').click()
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
    const other = await (await browserContext({ viewport: PHONE.viewport ?? null })).newPage()
    await other.goto(page.url())
    expect(await violations(other, 'begun')).toEqual([])
    await till.merchants.suspend('books')
    await scan('shelf?amount=500')
    expect(await violations(page, 'suspended')).toEqual([])
    vi.spyOn(till.scanCodes, 'get').mockRejectedValue(new DatabaseError('cannot reach the database'))
    await page.reload()
    expect(await violations(page, 'unavailable')).toEqual([])
  })
})

/** Placeholders that stand out by less than WCAG 2 asks of text (AA), evaluated in the page: axe-core does not look at them. */
const faintPlaceholders = `(() => {
  const parse = text => text.match(/[\\d.]+/g).map(Number)
  const luminance = colour => colour.slice(0, 3)
    .map(value => value / 255)
    .map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    .reduce((sum, value, i) => sum + value * [0.2126, 0.7152, 0.0722][i], 0)
  return [...document.querySelectorAll('input[placeholder]')].flatMap(input => {
    const { color, opacity } = getComputedStyle(input, '::placeholder')
    const colours = [parse(color), parse(getComputedStyle(input).backgroundColor)]
    const [light, dark] = colours.map(luminance).sort((a, b) => b - a)
    const ratio = (light + 0.05) / (dark + 0.05)
    const solid = colours.every(colour => (colour[3] ?? 1) === 1) && opacity === '1'
    return solid && ratio >= 4.5 ? [] : [input.outerHTML + ' ' + ratio + ' ' + opacity]
  })
})()`
