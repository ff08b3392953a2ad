import type { Shop } from '@tillkit/checkout'
import { describe, expect, test, vi } from 'vitest'
import { customerOf, openShop, stateOf, totalShown } from '../shop.ts'

const shop: Shop = { minimumAmount: 100, maximumAmount: 50_000 }

describe('the least and the most that is paid', () => {
  test.each([
    [{}, '(€)'],
    [{ minimumAmount: 100 }, '(€1.00 or more)'],
    [{ maximumAmount: 50_000 }, '(€500.00 or less)'],
    [shop, '(€1.00 to €500.00)'],
  ])('%j is said at the field', async (shop, said) => {
    const { customer } = await openShop({ shop })
    expect((await customer.open('/shelf')).page).toContain(`Amount <span>${said}</span>`)
  })

  test.each<[Record<string, string>, string, string]>([
    [{ amount: '0.99' }, 'amount', 'Enter €1.00 or more'],
    [{ amount: '500.01' }, 'amount', 'Enter €500.00 or less'],
    [{ amount: '500', tip: '0.01' }, 'tip', 'With this tip the total is more than €500.00.'],
  ])('%j is refused at its field', async (typed, field, said) => {
    const { customer, processor, till } = await openShop({ shop })
    const { target } = await customer.open('/table-1')
    const first = await customer.press(target, typed)
    const { page, response } = await customer.press(target, { ...typed, total: totalShown(first.page) })
    expect(response.status).toBe(422)
    expect(page).toContain(said)
    expect(page).toMatch(new RegExp(`<input id="${field}"[^>]* aria-invalid="true"[^>]* autofocus`))
    expect(processor.charged).toEqual([])
    expect((await till.payments.list('cafe')).total).toBe(0)
  })

  test('an amount that is too much is said at its own field, and not at the tip’s as well', async () => {
    const { customer } = await openShop({ shop })
    const { target } = await customer.open('/table-1')
    const { page } = await customer.press(target, { amount: '500.01', tip: '1' })
    expect(page.match(/aria-invalid="true"/g)).toHaveLength(1)
  })

  test('themselves are taken, and a tip counts', async () => {
    const { customer, processor } = await openShop({ shop })
    const entries: Record<string, string>[] = [
      { amount: '1' },
      { amount: '500' },
      { amount: '0.50', tip: '0.50' },
    ]
    for (const typed of entries)
      expect(stateOf((await customer.pay('/table-1', typed)).page)).toBe('completed')
    expect(processor.charged.map(({ totalAmount }) => totalAmount)).toEqual([100, 50_000, 100])
  })

  test.each([
    ['/shelf?amount=50001', 'Its amount is too large.'],
    ['/shelf?amount=99', 'Its amount is too small.'],
    ['/table-1?amount=50001', 'Its amount is too large.'],
  ])('a link that asks for more or less, %s, says so', async (scanned, said) => {
    const { customer, checkout, another } = await openShop({ shop })
    const { page, response } = await customer.open(scanned)
    expect(response.status).toBe(400)
    expect(page).toContain(said)
    // Nor is it paid by who has the page from before.
    const before = customerOf(another({ shop: {} }).handler)
    const { target } = await before.open(scanned)
    const after = customerOf(checkout.handler)
    expect(stateOf((await after.press(target, { total: '50001' })).page)).toBe('message')
  })

  test('a link that asks for nothing is not called too small: there is nothing to pay', async () => {
    const { customer } = await openShop({ shop })
    const { target, response } = await customer.open('/shelf?amount=0')
    expect(response.status).toBe(200)
    expect((await customer.press(target, { total: '' })).page).toContain('There is nothing to pay.')
  })

  test('one that a tip may lift is a form, which says what is missing', async () => {
    const { customer, processor } = await openShop({ shop })
    const { target, page } = await customer.open('/table-1?amount=50')
    const { response, page: again } = await customer.press(target, { total: totalShown(page) })
    expect(response.status).toBe(422)
    expect(again).toContain('Less than €1.00 cannot be paid here.')
    expect(processor.charged).toEqual([])
    await customer.press(target, { tip: '0.50', total: '100' })
    expect(processor.charged).toMatchObject([{ totalAmount: 100 }])
  })

  test('what was paid stays to be seen when they change', async () => {
    const { customer, another } = await openShop()
    const { target } = await customer.pay('/shelf?amount=50')
    const { handler } = another({ shop })
    const { body } = await handler({
      ...{ method: 'GET', path: target.split('?')[0] ?? '', query: 'amount=50', secure: true },
      ...{
        headers: { cookie: customer.cookie() },
        remoteAddress: undefined,
        body: async () => Buffer.from(''),
      },
    })
    expect(stateOf(String(body))).toBe('completed')
  })
})

describe('a shop for each merchant', () => {
  test('is asked for by the merchant', async () => {
    const { customer } = await openShop({
      shop: ({ id }) => (id === 'cafe' ? { tips: [{ percent: 10 }] } : { minimumAmount: 500 }),
    })
    expect((await customer.open('/table-1')).page).toContain('10%')
    expect((await customer.open('/shelf')).page).toContain('€5.00 or more')
  })

  test('that is wrong is the host’s fault: logged, masked, and nothing charged', async () => {
    const logger = { warn: vi.fn(), error: vi.fn() }
    const { customer, processor } = await openShop({ shop: async () => ({ minimumAmount: -1 }), logger })
    const { response } = await customer.open('/shelf?amount=500')
    expect(response.status).toBe(500)
    const message = expect.stringMatching(/^shop.minimumAmount must be/)
    const err = expect.objectContaining({
      message: 'shop gave no shop for merchant books',
      cause: expect.objectContaining({ message }),
    })
    expect(logger.error).toHaveBeenCalledWith(expect.objectContaining({ err }), 'request failed')
    expect(processor.charged).toEqual([])
  })

  test.each<[object, RegExp]>([
    [{ minimumAmount: 0 }, /^shop.minimumAmount must be 1 cent at least/],
    [{ minimumAmount: 1.5 }, /^shop.minimumAmount must be/],
    [{ maximumAmount: '5' }, /^shop.maximumAmount must be/],
    [{ minimumAmount: 2, maximumAmount: 1 }, /^shop.minimumAmount must not be more than maximumAmount/],
    [{ timeZone: 'Mars/Olympus' }, /^shop.timeZone must be a time zone/],
    [{ minimum: 5 }, /^shop.minimum is not a known name/],
  ])('%j is named', async (shop, message) => {
    await expect(openShop({ shop: shop as Shop })).rejects.toThrow(
      expect.objectContaining({ code: 'invalid_input', message: expect.stringMatching(message) }),
    )
  })
})
