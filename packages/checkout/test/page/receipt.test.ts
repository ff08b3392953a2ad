import { describe, expect, test } from 'vitest'
import { customerOf, openShop, send, stateOf } from '../shop.ts'

const clock = () => new Date('2026-11-20T23:30:00Z')
const order = '/shelf?id=HB-1&amount=1850&waiter=Zo%C3%AB'

/** Where the page offers its receipt, seen from `target`. */
function receiptFrom(page: string, target: string): string {
  const [, href = ''] = /href="([^"]*)" download/.exec(page) ?? []
  const { pathname, search } = new URL(href.replaceAll('&#38;', '&'), `https://pay.example.com${target}`)
  return pathname + search
}

describe('a receipt', () => {
  test.each([
    ['Europe/Amsterdam', 'en-IE', '21 Nov 2026, 00:30 GMT+1'],
    ['America/New_York', 'en-US', 'Nov 20, 2026, 6:30 PM EST'],
    ['Asia/Tokyo', 'nl-NL', '21 nov 2026, 08:30 GMT+9'],
    ['UTC', 'en-IE', '20 Nov 2026, 23:30 UTC'],
  ])('has the time of the shop in %s, and says which', async (timeZone, locale, shown) => {
    const { customer } = await openShop({ locale, shop: { timeZone }, timeZone: 'Asia/Kolkata' }, { clock })
    const { page } = await customer.pay(order)
    expect(page.replace(/[\u00a0\u202f]/g, ' ')).toContain(`<dd>${shown}</dd>`)
  })

  test('stays at its address for the browser that paid, which is renewed with each look', async () => {
    const { customer, checkout } = await openShop()
    const { target, page } = await customer.pay(order)
    expect(page).toContain('This browser can show it again for 30 days.')
    const again = await send(checkout.handler, target, { cookie: customer.cookie() })
    expect(stateOf(String(again.body))).toBe('completed')
    expect(again.headers['Set-Cookie']).toContain(`${customer.cookie()}; Path=/; Max-Age=2592000;`)
    expect(stateOf((await customerOf(checkout.handler).open(target)).page)).toBe('message')
  })

  test('is a file to keep: whole, with nothing that leads or loads from elsewhere', async () => {
    const brand = { name: 'Example Pay', logo: 'https://cdn.example.com/logo.svg' }
    const shop = { returnOrigins: ['https://shop.example'] }
    const { customer, processor } = await openShop({ brand, shop }, { clock })
    const paid = await customer.pay(`${order}&returnUrl=https://shop.example/`)
    const { page, response } = await customer.open(receiptFrom(paid.page, paid.target))
    expect(response.headers['Content-Disposition']).toBe('attachment; filename="receipt-20261120233000.html"')
    expect(response.headers['Cache-Control']).toBe('no-store')
    for (const text of [
      'Receipt – Harbour Books',
      'Example Pay',
      'HB-1',
      '€18.50',
      '20 Nov 2026',
      processor.charged[0]?.authCode,
    ])
      expect(page).toContain(text)
    expect(page).not.toMatch(/<a |<script|<img|<form|https?:/)
  })

  test('is nobody else’s, and of nothing that is not paid', async () => {
    const { customer, checkout, processor, till } = await openShop()
    const paid = await customer.pay(order)
    const file = receiptFrom(paid.page, paid.target)
    const code = processor.charged[0]?.authCode ?? 'none'
    const stranger = customerOf(checkout.handler)
    const forgetful = customerOf(checkout.handler, { cookies: false })
    for (const other of [
      await stranger.open(file),
      await forgetful.open(file),
      await customer.open(file.replace('1850', '1851')),
    ]) {
      expect(other.response.headers['Content-Disposition']).toBeUndefined()
      expect(other.page).not.toContain(code)
    }

    processor.answer = () => ({ status: 'pending' })
    const pending = await customer.pay(order)
    expect(pending.page).not.toContain(' download')
    const early = await customer.open(pending.target.replace('?', '/receipt?'))
    expect([early.target, stateOf(early.page)]).toEqual([pending.target, 'pending'])
    await till.payments.fail({ merchantId: 'books', id: 2 })
    expect(stateOf((await customer.open(pending.target.replace('?', '/receipt?'))).page)).toBe('error')
    expect((await customer.open('/nobody/pay/AAAAAAAAAAAAAAAAAAAAAA/receipt')).response.status).toBe(404)
    expect((await send(checkout.handler, file, { method: 'POST', form: {} })).status).toBe(405)
  })

  test('can be kept there and then where a browser keeps no cookies', async () => {
    const { checkout } = await openShop()
    const { page } = await customerOf(checkout.handler, { cookies: false }).pay(order)
    expect(stateOf(page)).toBe('completed')
    expect(page).toContain('Print or save this page now')
    expect(page).not.toContain(' download')
  })

  test('says what of the total was a tip', async () => {
    const { customer } = await openShop()
    const { page } = await customer.pay('/table-1', { amount: '10', tip: '1.50' })
    expect(page).toMatch(/Amount<\/dt><dd>€10\.00.*Tip<\/dt><dd>€1\.50.*Total<\/dt><dd>€11\.50/s)
    expect((await customer.pay('/shelf?amount=1000')).page).not.toContain('<dt>Amount')
  })
})
