import { inBrowser } from '@tillkit/servers/browser'
import { expect, test } from 'vitest'
import { PHONE, visitShop } from './browser.ts'

/**
 * A field as providers of card fields have it: a form of its own is sent, the first card is refused, the second becomes a
 * token, and then the page's form goes.
 */
const FIELD = `
const form = document.querySelector('form')
const { token } = form.elements
let cards = 0
form.addEventListener('submit', async event => {
  if (token.value !== '') return
  event.preventDefault()
  const own = document.createElement('form')
  document.body.append(own)
  own.dispatchEvent(new SubmitEvent('submit', { bubbles: true }))
  await new Promise(resolve => setTimeout(resolve, 50))
  document.querySelector('#card').textContent = 'asked ' + ++cards
  if (cards === 1) return
  token.value = 'tok_1'
  SEND
})`

inBrowser('a field of the host’s own that makes a token first', () => {
  for (const [send, attributes] of [
    ['form.requestSubmit()', ''],
    ['form.requestSubmit()', ' defer'],
    ['form.submit()', ''],
  ] as const) {
    test(`sends the form by ${send}, of a script${attributes}: after a card that was refused, too`, async () => {
      const methodFields = `<input type="hidden" name="token"><p id="card"></p><script src="/field.js"${attributes}></script>`
      const { page, scan, processor } = await visitShop(PHONE, { methodFields })
      await page.route('**/field.js', route =>
        route.fulfill({ contentType: 'text/javascript', body: FIELD.replace('SEND', send) }),
      )
      processor.answer = (_, { returnUrl }) => ({
        status: 'redirect',
        url: `${new URL(returnUrl).origin}/bank`,
      })
      await page.route('**/bank', route => route.fulfill({ contentType: 'text/html', body: '<h1>Bank' }))
      await scan('shelf?amount=1850')
      const pay = page.getByRole('button', { name: 'Pay €18.50' })
      await pay.click()
      await page.getByText('asked 1').waitFor()
      await pay.click()
      await page.getByRole('heading', { name: 'Bank' }).waitFor()
      expect(processor.contexts.map(({ fields }) => fields)).toEqual([{ token: 'tok_1' }])
    })
  }
})
