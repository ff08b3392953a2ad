import type { TipPreset } from '@tillkit/checkout'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { customerOf, openShop, stateOf, totalShown } from '../shop.ts'

const tips: TipPreset[] = [{ percent: 5 }, { percent: 12.5 }, { amount: 200 }]

/** The names under which the page offers tips. */
const offered = (page: string) =>
  [...page.matchAll(/name="tip-choice" value="([^"]*)"/g)].map(([, name]) => name)

describe('tips to choose', () => {
  test('are offered where the account has tips, none of them chosen, with what they come to', async () => {
    const { customer } = await openShop({ shop: { tips } })
    const { page } = await customer.open('/table-1?amount=1850')
    expect(offered(page)).toEqual(['', '5%', '12.5%', '200', 'other'])
    for (const text of ['No tip', '5% <small>€0.93', '12.5% <small>€2.31', '€2.00', 'Another tip'])
      expect(page).toContain(text)
    expect(page).toContain('value="" checked')
    expect(totalShown(page)).toBe('1850')
    expect(Buffer.byteLength(page)).toBeLessThan(8000)
    expect(offered((await customer.open('/shelf?amount=1850')).page)).toEqual([])
  })

  test('without JavaScript: the total is shown, and then charged', async () => {
    const { customer, processor } = await openShop({ shop: { tips } })
    const { target } = await customer.open('/table-1')
    const seen = await customer.press(target, { amount: '18.50', 'tip-choice': '12.5%' })
    expect([stateOf(seen.page), totalShown(seen.page)]).toEqual(['pay', '2081'])
    expect(seen.page).toContain('value="12.5%" data-hundredths="1250" checked')
    expect(processor.charged).toEqual([])
    const paid = await customer.press(target, { amount: '18.50', 'tip-choice': '12.5%', total: '2081' })
    expect(processor.charged).toMatchObject([{ totalAmount: 2081, tipAmount: 231 }])
    for (const text of ['€18.50', '€2.31', '€20.81']) expect(paid.page).toContain(text)
  })

  test('one that is typed is what is meant', async () => {
    const { customer, processor } = await openShop({ shop: { tips } })
    const { target } = await customer.open('/table-1?amount=1000')
    const { page } = await customer.press(target, { 'tip-choice': '5%', tip: '3', total: '1050' })
    expect([totalShown(page), processor.charged.length]).toEqual(['1300', 0])
    expect(page).toContain('value="other" checked')
    await customer.press(target, { 'tip-choice': 'other', tip: '3', total: '1300' })
    expect(processor.charged).toMatchObject([{ tipAmount: 300 }])
  })

  test.each(['5', '7%', '__proto__', 'other', '500', '-5%'])(
    'a choice %j that is not offered is none, and nothing is charged that the page did not show',
    async choice => {
      const { customer, processor } = await openShop({ shop: { tips } })
      const { target } = await customer.open('/table-1?amount=1000')
      const { page } = await customer.press(target, { 'tip-choice': choice, total: '1050' })
      expect([totalShown(page), processor.charged.length]).toEqual(['1000', 0])
    },
  )

  test('an account without tips pays none', async () => {
    const { customer, processor } = await openShop({ shop: { tips } })
    const { target } = await customer.open('/shelf?amount=1000')
    await customer.press(target, { 'tip-choice': '5%', total: '1000' })
    expect(processor.charged).toMatchObject([{ totalAmount: 1000, tipAmount: null }])
  })

  test('are rounded to the nearest cent, half a cent up', async () => {
    const percent = fc.integer({ min: 1, max: 10_000 }).map(hundredths => hundredths / 100)
    const amount = fc.oneof(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: 2 ** 52 }))
    const { another } = await openShop()
    await fc.assert(
      fc.asyncProperty(percent, amount, async (percent, amount) => {
        const customer = customerOf(another({ shop: { tips: [{ percent }] } }).handler)
        const { target } = await customer.open(`/table-1?amount=${amount}`)
        const { page } = await customer.press(target, { 'tip-choice': `${percent}%` })
        const exact = BigInt(amount) * BigInt(Math.round(percent * 100))
        const sum = BigInt(amount) + (exact + 5_000n) / 10_000n
        expect(totalShown(page)).toBe(sum > BigInt(Number.MAX_SAFE_INTEGER) ? '' : String(sum))
      }),
      { numRuns: 100 },
    )
  })
})

describe('what is wrong with them is named', () => {
  test.each<[unknown, RegExp]>([
    [[{ percent: 0 }], /^shop.tips.0 must be \{ percent \}/],
    [[{ percent: 101 }], /^shop.tips.0 must be/],
    [[{ percent: 12.345 }], /^shop.tips.0 must be/],
    [[{ amount: 0.5 }], /^shop.tips.0 must be/],
    [[{ amount: 100, percent: 5 }], /^shop.tips.0 must be/],
    [[{ amount: 1 }, { amount: 1 }], /^shop.tips must not name a tip twice/],
    [Array.from({ length: 7 }, (_, n) => ({ amount: n + 1 })), /^shop.tips must be at most 6/],
    ['10%', /^shop.tips must be an array/],
  ])('%j', async (tips, message) => {
    await expect(openShop({ shop: { tips: tips as TipPreset[] } })).rejects.toThrow(
      expect.objectContaining({ code: 'invalid_input', message: expect.stringMatching(message) }),
    )
  })
})
