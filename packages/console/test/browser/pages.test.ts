import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import { expect, test } from 'vitest'
import { DESK, inBrowser, PHONE, visitDesk } from './browser.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const PAGES = [
  ...[
    '/merchants',
    '/merchants/new',
    '/webhooks',
    '/unresolved',
    '/settlements',
    '/settlements/import',
    '/actions',
  ],
  ...['/payments', '/payments/1', '/payments/4', '/payments/13', '/find?q=order', '/codes', '/webhooks'].map(
    path => `/m-cafe${path}`,
  ),
  ...['/m-cafe/webhooks?state=exhausted', '/m-cafe/account', '/m-cafe/sheet?all=on&per=6', '/nothing'],
]

inBrowser('every page', () => {
  for (const [size, context] of [
    ['390 pixels', PHONE],
    ['1280 pixels', DESK],
  ] as const) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`at ${size} in ${colorScheme}: nothing that axe finds, nothing wider than the window`, async () => {
        // axe is put into the page from outside, which the policy of the page would not let in.
        const { page, open } = await visitDesk({ ...context, colorScheme, bypassCSP: true })
        for (const path of PAGES) {
          await open(path)
          await page.evaluate(axe)
          const { violations } = await page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })")
          const found = violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
          expect([path, found]).toEqual([path, []])
          const wide = await page.evaluate(
            'document.documentElement.scrollWidth - document.documentElement.clientWidth',
          )
          expect([path, wide]).toEqual([path, 0])
          // For whoever wants to look at them.
          const folder = process.env.TILLKIT_SCREENSHOTS
          const name = `${path.replace(/\W+/g, '-')}-${size.split(' ')[0]}-${colorScheme}.png`
          if (folder) await page.screenshot({ path: `${folder}/${name}`, fullPage: true })
        }
      })
    }
  }
})
