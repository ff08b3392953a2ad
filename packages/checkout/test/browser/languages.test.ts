import { mkdir } from 'node:fs/promises'
import { translations } from '@tillkit/checkout'
import { inBrowser } from '@tillkit/servers/browser'
import { expect, test } from 'vitest'
import { PHONE, visitShop } from './browser.ts'

/** Where each language is spoken, and how 18.50 is typed there. */
const REGIONS: Record<string, [locale: string, typed: string]> = {
  en: ['en-IE', '18.50'],
  de: ['de-DE', '18,50'],
  fr: ['fr-FR', '18,50'],
  nl: ['nl-NL', '18,50'],
  es: ['es-ES', '18,50'],
  pt: ['pt-PT', '18,50'],
  it: ['it-IT', '18,50'],
  af: ['af-ZA', '18,50'],
}

const WIDTHS = [320, 390, 768, 1280]

const shop = {
  minimumAmount: 100,
  tips: [{ percent: 5 }, { percent: 12.5 }, { amount: 200 }],
  returnOrigins: ['https://shop.example'],
}

inBrowser('in the language of the browser', () => {
  test.each(translations.map(texts => [texts.language, texts] as const))(
    '%s: an amount as it is typed there, each outcome and the receipt, and nothing sticks out',
    { timeout: 600_000 },
    async (language, texts) => {
      const [locale = '', typed = ''] = REGIONS[language] ?? []
      const { page, scan, processor } = await visitShop({ ...PHONE, locale }, { shop })
      const shots = process.env.CHECKOUT_SHOTS
      if (shots) await mkdir(shots, { recursive: true })

      /** Expects a page whose heading is that text, and that it fits into any window. */
      async function look(heading: string) {
        await page.getByRole('heading', { name: heading }).waitFor()
        expect(await page.locator('html').getAttribute('lang')).toBe(language)
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 844 })
          const tooWide = await page.evaluate(
            'document.documentElement.scrollWidth > document.documentElement.clientWidth',
          )
          expect([heading, width, tooWide]).toEqual([heading, width, false])
          if (shots)
            await page.screenshot({ path: `${shots}/${language}-${heading}-${width}.png`, fullPage: true })
        }
      }

      await scan('table-1?returnUrl=https%3A%2F%2Fshop.example%2F')
      await page.locator('#amount').fill('?')
      await page.getByRole('radio', { name: texts.otherTip }).check()
      await page.locator('#tip').fill('?')
      await page.locator('.pay').click()
      await page.getByText(texts.amountWrong.split('{')[0] ?? '').waitFor()
      await look('Corner Café')
      await page.locator('#amount').fill(typed)
      await page.getByRole('radio', { name: texts.noTip }).check()
      await page.locator('.pay').click()
      await look(texts.completed)
      expect(processor.charged).toMatchObject([{ totalAmount: 1850 }])
      await page.emulateMedia({ media: 'print' })
      await look(texts.completed)
      await page.emulateMedia({ media: 'screen' })

      await page.route('https://bank.example/**', route =>
        route.fulfill({ body: '<h1>Bank</h1>', contentType: 'text/html' }),
      )
      const ends = [
        [{ status: 'error', failure: 'card_declined' }, texts.failed],
        [{ status: 'pending' }, texts.pending],
        [{ status: 'redirect', url: 'https://bank.example/' }, texts.step],
      ] as const
      for (const [answer, heading] of ends) {
        processor.answer = () => answer
        await scan(`shelf?id=HB-${answer.status}&amount=1850&strict=true`)
        const attempt = page.url()
        await page.locator('.pay').click()
        if (answer.status === 'redirect') {
          await page.getByRole('heading', { name: 'Bank' }).waitFor()
          await page.goto(attempt)
        }
        await look(heading)
      }
      await scan('nobody')
      await look(texts.unknown)
    },
  )
})
