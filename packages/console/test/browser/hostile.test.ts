import { inBrowser } from '@tillkit/servers/browser'
import { expect, test } from 'vitest'
import { PHONE, visitDesk } from './browser.ts'

const EVIL = `"><img src=x onerror=window.owned=1><script>window.owned=1</script>'\u202e{{7*7}}`
/** As long as a name may be, with nowhere to break it. */
const LONG = 'W'.repeat(255)

inBrowser('names and references that are meant to harm', () => {
  test.each([
    ['HTML', EVIL],
    ['one word of 255 letters', LONG],
  ])('%s: run nothing, and push nothing out of a phone’s window', async (_, text) => {
    const { page, open, till } = await visitDesk(PHONE)
    await till.merchants.update('cafe', { name: text })
    await till.apiKeys.issue('cafe', { label: text })
    await till.scanCodes.create('cafe', { code: 'evil', reference: text })
    const payment = await till.payments.start({
      scanCode: 'evil',
      totalAmount: 1,
      merchantReference: text,
      deviceSerialNumber: text,
      extra: { [text.slice(0, 15)]: text },
    })
    await till.payments.fail(payment, { failure: text })
    await till.settlements.import({
      statementReference: text,
      rows: [{ merchantId: 'cafe', paymentId: 6, amount: 1075 }],
    })
    const asked = encodeURIComponent(text)
    const paths = [
      ...[
        '/today',
        '/merchants',
        `/merchants?find=${asked}`,
        '/settlements',
        `/settlement?reference=${asked}`,
      ],
      ...['/unresolved', '/webhooks', '/actions', '/m-cafe/today', '/m-cafe/payments', '/m-cafe/cash-ups'],
      ...[`/m-cafe/payments?merchantReference=${asked}`, `/m-cafe/find?q=${asked}`, '/m-cafe/codes'],
      ...[
        `/m-cafe/payments/${payment.id}`,
        '/m-cafe/webhooks',
        '/m-cafe/account',
        '/m-cafe/sheet?all=on&per=6',
      ],
    ]
    for (const path of paths) {
      await open(path)
      const found = await page.evaluate<[unknown, number, number]>(
        `[window.owned, document.querySelectorAll('[onerror],script:not([src])').length,
          document.documentElement.scrollWidth - document.documentElement.clientWidth]`,
      )
      expect([path, ...found]).toEqual([path, undefined, 0, 0])
      const folder = process.env.TILLKIT_SCREENSHOTS
      const name = `hostile ${text.slice(0, 1)} ${path.slice(0, 40)}`.replace(/\W+/g, '-')
      if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
    }
  })
})
