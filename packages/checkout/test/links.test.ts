import { english, findScan, LinkError, type LinkFault, type Texts } from '@tillkit/checkout'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openShop, stateOf } from './shop.ts'

const wrong: [string, LinkFault][] = [
  ['amount=12.5', 'amount'],
  ['amount=', 'amount'],
  ['amount=-1', 'amount'],
  ['amount=%zz', 'amount'],
  ['amount=1%00', 'amount'],
  ['amount=9007199254740992', 'amountTooLarge'],
  [`amount=${'9'.repeat(400)}`, 'amountTooLarge'],
  ['amount=1&amount=2', 'amountTwice'],
  ['amount=1&%61mount=1', 'amountTwice'],
  ['id=a%00', 'order'],
  [`id=${'x'.repeat(256)}`, 'orderTooLong'],
  ['id=1&id=2', 'orderTwice'],
  ['strict=yes', 'strict'],
  ['strict=', 'strict'],
  ['strict=true&strict=true', 'strictTwice'],
  ['a=%00', 'extra'],
  ['%00', 'extra'],
  [`${Array.from({ length: 51 }, (_, n) => `n${n}=1`).join('&')}`, 'extraTooMany'],
  [`a=${'ø'.repeat(8000)}`, 'extraTooLong'],
  [`a=${'x'.repeat(9000)}`, 'tooLong'],
  [`${'a&'.repeat(4000)}`, 'tooManyParameters'],
]

/** Texts that can be told from everything else on a page: each is its own name, in signs of no other use. */
const marked = Object.fromEntries(
  Object.entries(english).map(([name, text]) => [
    name,
    typeof text !== 'string'
      ? Object.fromEntries(Object.keys(text).map(key => [key, `⟦${name}.${key}⟧`]))
      : name === 'language'
        ? 'nl'
        : `⟦${name}⟧`,
  ]),
) as unknown as Texts

/** What a page says, without its markup and the style in it. */
function said(page: string): string {
  return page.replace(/<style>.*?<\/style>/s, '').replace(/<[^>]*>/g, ' ')
}

describe('a link that is wrong is spoken of in the customer’s words', () => {
  test.each(wrong)('%.60s: %s', async (query, fault) => {
    const { customer } = await openShop({ texts: { wrongLinks: { [fault]: 'Vraag om een andere.' } } })
    for (const path of ['/shelf', `/shelf/pay/${'A'.repeat(22)}`, `/shelf/pay/${'A'.repeat(48)}`]) {
      const { response, page } = await customer.open(`${path}?${query}`)
      expect(response.status).toBe(fault === 'tooLong' ? 414 : 400)
      expect(page).toContain('<p>Vraag om een andere.</p>')
      const pressed = await customer.press(`${path}?${query}`, { total: '500' })
      expect(pressed.response.status).toBe(path === '/shelf' ? 405 : response.status)
    }
  })

  test('every fault has words', () => {
    const faults = wrong.map(([, fault]) => fault)
    expect(Object.keys(english.wrongLinks).sort()).toEqual(
      [...new Set([...faults, 'amountTooSmall', 'signature', 'expired', 'other'])].sort(),
    )
  })

  test('findScan says it to developers', async () => {
    const { till } = await openShop()
    const error = await findScan(till, 'shelf', 'amount=12.5').catch(error => error)
    expect(error).toBeInstanceOf(LinkError)
    expect(error).toMatchObject({
      code: 'invalid_input',
      fault: 'amount',
      message: expect.stringMatching(/^amount must be a whole number/),
    })
    const tooLong = await findScan(till, 'shelf', `id=${'x'.repeat(256)}`).catch(error => error)
    expect(tooLong).toMatchObject({ fault: 'orderTooLong', message: expect.stringMatching(/^id must be/) })
  })

  test('nothing but the texts and what the account is called is ever on a page', async () => {
    const { customer, till } = await openShop({ texts: marked })
    await till.merchants.update('books', { name: '⟦merchant⟧' })
    const names = fc.constantFrom('amount', 'id', 'strict', 'a', '%00', '__proto__', '', 'scan_code_size')
    const value = fc.oneof(
      ...['1', '12.5', '-1', 'true', '%zz', '%', '%00', '%ED%A0%80', '<b>', '9007199254740993'].map(
        fc.constant,
      ),
      fc.string({ maxLength: 20, unit: 'binary' }).map(text => encodeURIComponent(text.toWellFormed())),
      fc.integer({ min: 200, max: 9000 }).map(length => 'x'.repeat(length)),
    )
    const query = fc
      .array(fc.tuple(names, value), { maxLength: 60 })
      .map(pairs => pairs.map(([name, text]) => `${name}=${text}`).join('&'))
    let seen = 0
    await fc.assert(
      fc.asyncProperty(query, async text => {
        const { page } = await customer.open(`/shelf?${text}`)
        if (stateOf(page) !== 'message') return
        seen++
        expect(said(page)).toMatch(/^(?:\s|⟦[\w.]+⟧)+$/)
      }),
      { numRuns: 500 },
    )
    expect(seen).toBeGreaterThan(100)
  })
})
