import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { browserContext, inBrowser } from '@tillkit/servers/browser'
import type { Page } from 'playwright-core'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { openServer } from './serving.ts'

inBrowser('the page in a browser', () => {
  const serving = openServer()
  afterAll(async () => (await serving).close())

  /** A page, whose requests to elsewhere and whose complaints are to be none. */
  async function visit(width: number, colorScheme: 'light' | 'dark', path: string) {
    const { origin } = await serving
    const context = await browserContext({ viewport: { width, height: 900 }, colorScheme })
    const page = await context.newPage()
    const amiss: string[] = []
    page.on('console', message => {
      if (message.type() === 'error') amiss.push(message.text())
    })
    page.on('pageerror', error => amiss.push(error.message))
    page.on('request', request => {
      if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(`${origin}/`))
        amiss.push(request.url())
    })
    onTestFinished(() => expect(amiss).toEqual([]))
    await page.goto(`${origin}${path}`)
    await page.getByText('Payments, newest first', { exact: true }).waitFor()
    return page
  }

  async function shot(page: Page, name: string) {
    const folder = process.env.OPENAPI_SHOTS
    if (folder === undefined) return
    await mkdir(folder, { recursive: true })
    await page.screenshot({ path: join(folder, `${name}.png`) })
  }

  test.each([
    [390, 'light', '/docs'],
    [390, 'dark', '/docs/'],
    [1280, 'light', '/a/b'],
    [1280, 'dark', '/a/b/'],
  ] as const)(
    '%i pixels, %s, at %s: shown whole, and a request is sent with a key',
    async (width, colours, path) => {
      const { apiKey } = await serving
      const page = await visit(width, colours, path)
      await shot(page, `page-${width}-${colours}`)
      expect(
        await page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth'),
      ).toBe(true)
      expect(await page.getByText('A payment has its outcome').count()).toBe(1)

      await page.getByRole('button', { name: 'Authorize' }).click()
      await page.locator('input[name=username]').fill(apiKey)
      await page.getByRole('button', { name: 'Apply credentials' }).first().click()
      await page.getByRole('button', { name: 'Close' }).first().click()
      await page.locator('#operations-Payments-getPayment').getByRole('button').first().click()
      const edges = await page
        .locator('.responses-table')
        .evaluateAll(tables => tables.map(table => table.getBoundingClientRect().right))
      for (const edge of edges) expect(edge).toBeLessThanOrEqual(width)
      expect(await page.locator('.response-col_links:visible').count()).toBe(0)
      await page.getByRole('button', { name: 'Try it out' }).click()
      await page.getByRole('textbox', { name: 'id', exact: true }).fill('2')
      const [response] = await Promise.all([
        page.waitForResponse(answer => answer.url().endsWith('/v1/payments/2')),
        page.getByRole('button', { name: 'Execute' }).click(),
      ])
      expect([response.status(), (await response.json()).merchantReference]).toEqual([200, 'INV-1001'])
      await page.locator('.live-responses-table').getByText('"INV-1001"').waitFor()
      await page.locator('.live-responses-table').scrollIntoViewIfNeeded()
      await shot(page, `tried-${width}-${colours}`)
    },
  )
})
