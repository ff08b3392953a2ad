import { inBrowser } from '@tillkit/servers/browser'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESK, visitDesk } from './browser.ts'

const PAGES = [
  ...['/today', '/merchants', '/merchants/new', '/webhooks', '/unresolved', '/settlements', '/actions'],
  ...['/settlements/import', '/m-cafe/today', '/m-cafe/payments', '/m-cafe/payments/4', '/m-cafe/cash-ups'],
  ...['/m-cafe/codes', '/m-cafe/sheet?all=on&per=6', '/m-cafe/webhooks?state=exhausted', '/m-cafe/account'],
]

/** What can be used on a page, by what a person would call it, and whether the keyboard stands on it visibly. */
const USABLE = `(() => {
  const can = 'a[href],button,input:not([type=hidden]),select,textarea,summary,[tabindex="0"]'
  return [...document.querySelectorAll(can)].filter(element => element.checkVisibility() && !element.disabled)
})()`
const NAME = `element => (element.labels?.[0] ?? element).textContent.trim() || element.name || element.ariaLabel`

/** Goes on by Tab until the focus is on what is called so. */
async function reach(page: Page, name: string): Promise<void> {
  for (let n = 0; n < 200; n++) {
    await page.keyboard.press('Tab')
    const there = await page.evaluate<string>(
      `(${NAME})(document.activeElement === document.body ? document.createElement('i') : document.activeElement)`,
    )
    if (there === name) return
  }
  throw new Error(`nothing that is called ${name} is reached`)
}

async function enter(page: Page, name: string): Promise<void> {
  await reach(page, name)
  await page.keyboard.press('Enter')
}

inBrowser('by keyboard alone', () => {
  test('everything that can be used is reached, and is seen to have the focus', async () => {
    const { page, open } = await visitDesk(DESK)
    for (const path of PAGES) {
      await open(path)
      // What is still being counted comes later, and what is live is put there anew: it is to be reached then.
      await page.evaluate('reached = new WeakSet()')
      let usable = 0
      let left: string[] = []
      // A field of a date has stops of its own, of which the browser shows the last by itself.
      for (let n = 0; n === 0 || (n < usable * 5 && left.length > 0); n++) {
        await page.keyboard.press('Tab')
        ;[usable, left] = await page.evaluate<[number, string[]]>(`(() => {
          const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement)
          if (outlineStyle !== 'none' && outlineWidth !== '0px') reached.add(document.activeElement)
          const usable = ${USABLE}
          return [usable.length, usable.filter(element => !reached.has(element)).map(${NAME})]
        })()`)
      }
      expect([path, usable > 5, left]).toEqual([path, true, []])
    }
  })

  test('a merchant is found and suspended, and goes on', async () => {
    const { page, open, till } = await visitDesk(DESK)
    await open('/merchants')
    await reach(page, 'Find')
    await page.keyboard.type('corner')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/merchants?*')
    await enter(page, 'Corner Café')
    await page.waitForURL('**/m-cafe/**')
    await enter(page, 'Account')
    await page.waitForURL('**/account')
    await enter(page, 'Suspend…')
    await enter(page, 'Suspend')
    await page.getByText('The merchant is suspended.').waitFor()
    expect((await till.merchants.get('cafe'))?.suspendedAt).not.toBeNull()
    await enter(page, 'Resume')
    await page.getByText('The merchant takes payments again.').waitFor()
    expect((await till.merchants.get('cafe'))?.suspendedAt).toBeNull()
  })

  test('a webhook that was given up is sent again', async () => {
    const { page, open, till } = await visitDesk(DESK)
    await open('/m-cafe/payments/4')
    await enter(page, 'Send its webhook again')
    await page.getByText('Its webhook is sent again now.').waitFor()
    expect((await till.webhooks.list('cafe', { state: 'pending' })).items.map(one => one.paymentId)).toEqual([
      4,
    ])
  })

  test('a period is ended', async () => {
    const { page, open, till } = await visitDesk(DESK)
    const before = (await till.cashUps.list('cafe')).total
    await open('/m-cafe/cash-ups')
    await enter(page, 'End the period…')
    await enter(page, 'End the period')
    await page.getByText('The period was ended.').waitFor()
    expect((await till.cashUps.list('cafe')).total).toBe(before + 1)
  })

  test('a statement is handed in, seen, and imported', async () => {
    const { page, open, till } = await visitDesk(DESK)
    await open('/settlements/import')
    await reach(page, 'Statement reference')
    await page.keyboard.type('S-48')
    // A browser that is busy may open it before it has heard that somebody waits for it.
    const choosing = page.waitForEvent('filechooser')
    await reach(page, 'CSV file')
    await page.keyboard.press('Space')
    const chooser = await choosing
    const buffer = Buffer.from('merchantId,paymentId,amount\ncafe,2,575\n')
    await chooser.setFiles({ name: 'S-48.csv', mimeType: 'text/csv', buffer })
    await enter(page, 'Try it')
    await page.getByText('what importing it would do').waitFor()
    await enter(page, 'Settle 1 payment')
    await page.getByText('It was imported.').waitFor()
    expect((await till.payments.get('cafe', 2))?.statementReference).toBe('S-48')
  })
})
