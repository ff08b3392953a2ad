import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { inBrowser } from '@tillkit/servers/browser'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESK, PHONE, visitDesk } from './browser.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const PAGES = [
  ...[
    '/today',
    '/today?day=2026-01-01',
    '/merchants',
    '/merchants/new',
    '/webhooks',
    '/unresolved',
    '/settlements',
    '/settlement?reference=S-47',
    '/settlements/import',
    '/actions',
  ],
  ...[
    '/today',
    '/cash-ups',
    '/payments',
    '/payments/1',
    '/payments/4',
    '/payments/13',
    '/find?q=order',
    '/codes',
    '/webhooks',
  ].map(path => `/m-cafe${path}`),
  ...['/m-cafe/webhooks?state=exhausted', '/m-cafe/account', '/m-cafe/sheet?all=on&per=6', '/nothing'],
]

/** Expects of the page that is open nothing that axe finds, and nothing that is wider than the window. */
async function look(page: Page, name: string): Promise<void> {
  await page.evaluate(axe)
  const { violations } = await page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })")
  const found = violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
  expect([name, found]).toEqual([name, []])
  const wide = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  expect([name, wide]).toEqual([name, 0])
  // For whoever wants to look at them.
  const folder = process.env.TILLKIT_SCREENSHOTS
  if (folder) await page.screenshot({ path: `${folder}/${name.replace(/\W+/g, '-')}.png`, fullPage: true })
}

const STATEMENT =
  'merchantId,paymentId,amount\ncafe,1,450\ncafe,2,1\ncafe,4,825\ncafe,99,1\ncafe,7,1200\ncafe,7,1200\n'

inBrowser('every page', () => {
  for (const [size, context] of [
    ['390 pixels', PHONE],
    ['1280 pixels', DESK],
  ] as const) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`at ${size} in ${colorScheme}: nothing that axe finds, nothing wider than the window`, async () => {
        // axe is put into the page from outside, which the policy of the page would not let in.
        const { page, open, till } = await visitDesk({ ...context, colorScheme, bypassCSP: true })
        const { reference } = (await till.cashUps.list('cafe')).items[0] ?? {}
        for (const path of [...PAGES, `/m-cafe/cash-ups/${reference}`]) {
          await open(path)
          await look(page, `${path} ${size} ${colorScheme}`)
        }
        await open('/settlements/import')
        await page.getByLabel('Statement reference').fill('S-48')
        await page.getByLabel('CSV file').setInputFiles({
          name: 'S-48.csv',
          mimeType: 'text/csv',
          buffer: Buffer.from(STATEMENT),
        })
        await page.getByRole('button', { name: 'Try it' }).click()
        await page.getByText('what importing it would do').waitFor()
        await look(page, `a statement that was tried ${size} ${colorScheme}`)
        await page.getByRole('button', { name: /^Settle/ }).click()
        await page.getByText('It was imported.').waitFor()
        await look(page, `a statement that was imported ${size} ${colorScheme}`)
      })
    }
  }
})
