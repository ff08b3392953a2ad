import { describe, expect, test } from 'vitest'
import { customerOf, openShop, send, stateOf, totalShown } from './shop.ts'

describe('an amount in the URL', () => {
  test('is shown, with who is paid and the order, and charged as it stands', async () => {
    const { customer, processor } = await openShop()
    const { page } = await customer.open('/shelf?id=HB-2042&amount=1850&waiter=Zo%C3%AB')
    for (const text of ['Harbour Books', 'HB-2042', '€18.50', 'Pay €18.50']) expect(page).toContain(text)
    expect(page).not.toMatch(/name="(?:amount|tip|reference)"/)

    const paid = await customer.pay('/shelf?id=HB-2042&amount=1850&waiter=Zo%C3%AB')
    expect(stateOf(paid.page)).toBe('completed')
    expect(processor.charged).toMatchObject([
      {
        ...{
          merchantId: 'books',
          scanCode: 'shelf',
          totalAmount: 1850,
          requiredAmount: 1850,
          tipAmount: null,
        },
        ...{ merchantReference: 'HB-2042', extra: { waiter: 'Zoë' }, status: 'pending' },
      },
    ])
    expect(paid.page).toContain(processor.charged[0]?.authCode ?? 'no code')
  })

  test('is paid as well where the address of the code has a slash at its end', async () => {
    const { customer, processor, checkout } = await openShop()
    const paid = await customer.pay('/shelf/?id=HB-2042&amount=1850')
    expect([stateOf(paid.page), processor.charged.length]).toEqual(['completed', 1])
    expect(paid.target).toMatch(/^\/shelf\/pay\/[^/]+\?id=HB-2042&amount=1850$/)
    expect((await send(checkout.handler, '/shelf.svg/')).status).toBe(200)
    expect((await send(checkout.handler, '/shelf//')).status).toBe(404)
  })

  test('stands whatever is typed into the request', async () => {
    const { customer, processor } = await openShop()
    const { target } = await customer.open('/shelf?amount=1850')
    await customer.press(target, { amount: '1', tip: '5', reference: 'Anna', total: '1850' })
    expect(processor.charged).toMatchObject([{ totalAmount: 1850, tipAmount: null, userReference: null }])
  })

  test('with a tip is added up, and only the total that was seen is charged', async () => {
    const { customer, processor } = await openShop()
    const { target, page } = await customer.open('/table-1?amount=1000')
    expect(totalShown(page)).toBe('1000')
    const seen = await customer.press(target, { tip: '1.50', total: totalShown(page) })
    expect(stateOf(seen.page)).toBe('pay')
    expect(seen.page).toContain('The total is €11.50.')
    expect(processor.charged).toEqual([])
    await customer.press(target, { tip: '1.50', total: totalShown(seen.page) })
    expect(processor.charged).toMatchObject([{ totalAmount: 1150, tipAmount: 150, requiredAmount: 1000 }])
  })

  test('of nothing is nothing to pay, but for a tip', async () => {
    const { customer, processor } = await openShop()
    const { target, page } = await customer.open('/table-1?amount=0')
    const pressed = await customer.press(target, { total: totalShown(page) })
    expect(pressed.page).toContain('There is nothing to pay.')
    expect(processor.charged).toEqual([])
    await customer.press(target, { tip: '1', total: '100' })
    expect(processor.charged).toMatchObject([{ totalAmount: 100, tipAmount: 100 }])
  })
})

describe('an amount of the customer’s choice', () => {
  test('is asked for, with the tip and the reference that the account has', async () => {
    const { customer, processor, till } = await openShop()
    const { page } = await customer.open('/table-1')
    for (const name of ['amount', 'tip', 'reference']) expect(page).toContain(`name="${name}"`)
    const paid = await customer.pay('/table-1', { amount: '12.50', tip: '1', reference: ' Anna ' })
    expect(stateOf(paid.page)).toBe('completed')
    for (const text of ['€13.50', '€1.00', 'Anna']) expect(paid.page).toContain(text)
    expect(processor.charged).toMatchObject([{ totalAmount: 1350, tipAmount: 100, userReference: 'Anna' }])
    expect(await till.payments.get('cafe', 1)).toMatchObject({ status: 'completed', requiredAmount: null })
  })

  test('has no tip and no reference where the account has none', async () => {
    const { customer, processor } = await openShop()
    const { page, target } = await customer.open('/shelf')
    expect(page).toContain('name="amount"')
    expect(page).not.toMatch(/name="(?:tip|reference)"/)
    await customer.press(target, { amount: '12.50', tip: '1', reference: 'Anna', total: '1250' })
    expect(processor.charged).toMatchObject([{ totalAmount: 1250, tipAmount: null, userReference: null }])
  })

  test.each([
    [{ amount: '' }, 'amount', /Enter the amount like this: 12\.50/],
    [{ amount: '12,5051' }, 'amount', /Enter the amount/],
    [{ amount: '0' }, 'amount', /Enter the amount/],
    [{ amount: '12', tip: 'a bit' }, 'tip', /Enter the tip like this: 12\.50, or leave it empty/],
    [{ amount: '12', tip: '-1' }, 'tip', /Enter the tip/],
    [{ amount: '12', reference: 'x'.repeat(256) }, 'reference', /Enter a shorter reference/],
    [{ amount: '12', reference: 'a\0b' }, 'reference', /Enter a shorter reference/],
  ])('%j is said to be wrong, at its field', async (typed, name, words) => {
    const { customer, processor, till } = await openShop()
    const { target } = await customer.open('/table-1')
    const { response, page } = await customer.press(target, { total: '1200', ...typed })
    expect(response.status).toBe(422)
    expect(page).toMatch(words)
    const input = new RegExp(`<input id="${name}"[^>]*>`).exec(page)?.[0]
    expect(input).toContain(`aria-invalid="true" aria-describedby="${name}-wrong" autofocus`)
    expect(processor.charged).toEqual([])
    expect((await till.payments.list('cafe')).total).toBe(0)
  })

  test('keeps what was typed when the page is shown again', async () => {
    const { customer } = await openShop()
    const { target } = await customer.open('/table-1')
    const { page } = await customer.press(target, { amount: '12', tip: '1', reference: '"Zoë" <3' })
    expect(page).toContain('value="12"')
    expect(page).toContain('value="&#34;Zoë&#34; &#60;3"')
    expect(totalShown(page)).toBe('1300')
  })
})

describe('what the page did not show is not charged', () => {
  test.each(['1849', '185', '', 'x', '1850.0', '01850', '-1850'])('a total of %j', async total => {
    const { customer, processor, till } = await openShop()
    const { target } = await customer.open('/shelf?amount=1850&id=HB-1&strict=true')
    const { response, page } = await customer.press(target, { total })
    expect([response.status, stateOf(page)]).toEqual([200, 'pay'])
    expect(page).toContain('The total is €18.50.')
    expect(processor.charged).toEqual([])
    expect((await till.payments.list('books')).total).toBe(0)
  })

  test('an amount that was changed in the address since', async () => {
    const { customer, processor } = await openShop()
    const { target, page } = await customer.open('/shelf?amount=1850')
    const changed = await customer.press(target.replace('1850', '9950'), { total: totalShown(page) })
    expect(changed.page).toContain('The total is €99.50.')
    expect(processor.charged).toEqual([])
  })
})

describe('strict', () => {
  const order = '/shelf?id=HB-1&amount=1850&strict=true'

  test('a reference that is paid says so before anything is charged', async () => {
    const { customer, processor, till } = await openShop()
    await customer.pay(order)
    const { page } = await customer.open(order)
    expect(stateOf(page)).toBe('taken')
    expect(page).toContain('This order is already paid.')
    expect(page).not.toContain('<form')
    expect(processor.charged).toHaveLength(1)
    expect((await till.payments.list('books')).total).toBe(1)
  })

  test('the attempt of a strict link is none without strict: it leads to another', async () => {
    const { customer, processor } = await openShop()
    const { target, page } = await customer.open(order)
    const lax = target.replace('&strict=true', '')
    const changed = await customer.press(lax, { total: totalShown(page) })
    expect(stateOf(changed.page)).toBe('pay')
    expect(changed.target).not.toBe(lax)
    expect(processor.charged).toEqual([])
  })

  test('one that is paid and is being paid once more is paid: there is nothing to wait for', async () => {
    const { customer, processor } = await openShop()
    const link = order.replace('&strict=true', '')
    await customer.pay(link)
    processor.answer = () => ({ status: 'pending' })
    await customer.pay(link)
    expect(stateOf((await customer.open(order)).page)).toBe('taken')
  })

  test('one that is being paid waits for the outcome, and can be paid when that was a failure', async () => {
    const { customer, processor, till } = await openShop()
    processor.answer = () => ({ status: 'pending' })
    await customer.pay(order)
    const { page, target } = await customer.open(order)
    expect(stateOf(page)).toBe('pending')
    expect(page).toContain('A payment of this order is being processed.')
    await till.payments.fail({ merchantId: 'books', id: 1 })
    expect(stateOf((await customer.open(target)).page)).toBe('pay')
  })

  test('two phones: one is charged, the other is told', async () => {
    const { checkout, processor, till } = await openShop()
    const [here, there] = [customerOf(checkout.handler), customerOf(checkout.handler)]
    const [one, other] = await Promise.all([here.open(order), there.open(order)])
    const pages = await Promise.all([
      here.press(one.target, { total: '1850' }),
      there.press(other.target, { total: '1850' }),
    ])
    expect(pages.map(({ page }) => stateOf(page)).sort()).toEqual(['completed', 'error'])
    const told = pages.find(({ page }) => stateOf(page) === 'error')
    expect(told?.page).toContain('You have not been charged.')
    expect(told?.page).not.toContain('Try again')
    expect(processor.charged).toHaveLength(1)
    expect((await till.payments.list('books', { filter: { status: ['completed'] } })).total).toBe(1)
  })

  test('a reference with no name, and one without a reference, are no trouble', async () => {
    const { customer, processor } = await openShop()
    for (const scanned of ['/shelf?id=&amount=100&strict=true', '/shelf?amount=100&strict=true']) {
      expect(stateOf((await customer.pay(scanned)).page)).toBe('completed')
    }
    expect(processor.charged).toHaveLength(2)
  })
})

describe('the result', () => {
  test('of a refused charge says why, and offers another try of the same order', async () => {
    const { customer, processor, till } = await openShop()
    processor.answer = () => ({ status: 'error', failure: 'card_declined' })
    const refused = await customer.pay('/shelf?id=HB-1&amount=1850&a=%3C%22&strict=true')
    expect(stateOf(refused.page)).toBe('error')
    expect(refused.page).toContain('The card was declined.')
    expect(refused.page).not.toContain('Confirmation code')
    expect(await till.payments.get('books', 1)).toMatchObject({ status: 'error', failure: 'card_declined' })

    const again = /href="([^"]*)"/.exec(refused.page)?.[1]?.replaceAll('&#38;', '&')
    expect(again).toBe('../../shelf?id=HB-1&amount=1850&a=%3C%22&strict=true')
    processor.answer = () => ({ status: 'completed' })
    const paid = await customer.pay('/shelf?id=HB-1&amount=1850&a=%3C%22&strict=true')
    expect(stateOf(paid.page)).toBe('completed')
    expect(paid.target).not.toBe(refused.target)
  })

  test.each([undefined, 'psp-4711', '__proto__', 'toString'])(
    'has general words for a failure %j',
    async failure => {
      const { customer, processor } = await openShop()
      processor.answer = () => ({ status: 'error', failure })
      const { page } = await customer.pay('/shelf?amount=100')
      expect(page).toContain('The payment did not go through.')
      if (failure) expect(page).not.toContain(failure)
    },
  )

  test('of a pending payment waits, with and without JavaScript, and shows the outcome when there is one', async () => {
    const { customer, processor, till } = await openShop()
    processor.answer = () => ({ status: 'pending' })
    const { page, target } = await customer.pay('/shelf?id=HB-1&amount=1850')
    expect(stateOf(page)).toBe('pending')
    expect(page).toMatch(/<noscript><meta http-equiv="refresh" content="\d"><\/noscript>/)
    expect(page).toMatch(/<script src="..\/..\/checkout-[0-9a-f]{16}\.js" defer>/)
    await till.payments.complete({ merchantId: 'books', id: 1 })
    const after = await customer.open(target)
    expect(stateOf(after.page)).toBe('completed')
    expect(after.page).not.toMatch(/refresh|<script/)
  })

  test('is announced to a screen reader', async () => {
    const { customer } = await openShop()
    const { page } = await customer.pay('/shelf?amount=100')
    expect(page).toContain('role="status" aria-live="polite"')
  })

  test('HEAD has the headers alone', async () => {
    const { customer, checkout } = await openShop()
    const { target, page } = await customer.open('/shelf?amount=100')
    const head = await send(checkout.handler, target, { method: 'HEAD', cookie: customer.cookie() })
    expect(head).toMatchObject({ status: 200, body: null })
    expect(head.headers['Content-Length']).toBe(String(Buffer.byteLength(page)))
  })
})
