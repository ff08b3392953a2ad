import { type Money, money as newMoney } from '@tillkit/checkout'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openShop, stateOf, totalShown } from '../shop.ts'

/** Digits of the alphabet that these locales share; those of others are read in their own locale only. */
const LATIN = [
  ...['en-IE', 'en-US', 'en-ZA', 'de-DE', 'de-AT', 'de-CH', 'fr-FR', 'fr-CH', 'fr-CA', 'nl-NL', 'nl-BE'],
  ...['es-ES', 'es-MX', 'pt-PT', 'pt-BR', 'it-IT', 'it-CH', 'af-ZA', 'pl-PL', 'sv-SE', 'hu-HU', 'ja-JP'],
]
const LOCALES = [...LATIN, 'en-IN', 'ar-EG', 'fa-IR', 'hi-IN', 'bn-BD']
const CURRENCIES = ['EUR', 'JPY', 'KWD']
const locale = fc.constantFrom(...LOCALES)
const currency = fc.constantFrom(...CURRENCIES)
/** Up to a thousand million units, small ones as often as large ones. */
const cents = fc.oneof(fc.nat(200_000), fc.nat(1e11))

/** Made once for each: what it is made of costs more than a hundred readings. */
const made = new Map<string, Money>()
function money(name: string, of: string): Money {
  const known = made.get(name + of) ?? newMoney(name, of)
  made.set(name + of, known)
  return known
}

const formats = new Map<string, Intl.NumberFormat>()
function format(of: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const name = of + JSON.stringify(options)
  const known = formats.get(name) ?? new Intl.NumberFormat(of, options)
  formats.set(name, known)
  return known
}

function written(of: string, digits: number, amount: number, options: Intl.NumberFormatOptions = {}): string {
  const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return format(of, { ...decimals, ...options }).format(`${amount}e-${digits}` as `${number}`)
}

describe('as people of a language type them', () => {
  test('what Intl writes is read as it was meant: grouped, not grouped, and as an amount of money', () => {
    fc.assert(
      fc.property(
        locale,
        currency,
        cents,
        fc.constantFrom('always', false, 'auto'),
        (of, name, amount, useGrouping) => {
          const { digits, parse, format, sign, typed } = money(name, of)
          expect(parse(written(of, digits, amount, { useGrouping: useGrouping as 'auto' }))).toBe(amount)
          expect(parse(typed(amount))).toBe(amount)
          const shown = format(amount)
            .replace(sign, '')
            .replace(/[\u200e\u200f\u061c]/g, '')
          // Some put a currency's name where its sign would be, with a point of its own.
          if (!/\p{L}/u.test(shown)) expect(parse(shown.trim())).toBe(amount)
        },
      ),
      { numRuns: 3000 },
    )
  })

  test('and what is read is written so that it is read as the same', () => {
    const typed = fc.string({ unit: fc.constantFrom(..."0123456789.,  ’'"), maxLength: 12 })
    fc.assert(
      fc.property(locale, currency, typed, (of, name, text) => {
        const amounts = money(name, of)
        const amount = amounts.parse(text)
        if (amount === null) return
        expect(amounts.parse(amounts.typed(amount))).toBe(amount)
        expect(Number(text.replace(/\D/g, ''))).toBeLessThanOrEqual(amount)
      }),
      { numRuns: 5000 },
    )
  })

  test('whole units without decimals are read, or asked about with what was meant among the answers', () => {
    fc.assert(
      fc.property(locale, currency, fc.nat(1e9), (of, name, units) => {
        const { digits, parse, guesses } = money(name, of)
        const text = format(of, { useGrouping: 'always' }).format(units)
        const amount = units * 10 ** digits
        const read = parse(text)
        // In a currency of three decimals a locale that sets them off by its point has no other way to write them.
        if (read === null) expect(guesses(text)).toContain(amount)
        else expect(read).toBe(amount)
      }),
      { numRuns: 3000 },
    )
  })

  test('as people of another language type them: read as it was meant, asked about, or refused; never taken for another', () => {
    const latin = fc.constantFrom(...LATIN)
    fc.assert(
      fc.property(latin, latin, currency, cents, fc.boolean(), (typist, page, name, amount, grouped) => {
        const { digits, parse, guesses } = money(name, page)
        const text = written(typist, digits, amount, { useGrouping: grouped ? 'always' : false })
        const read = parse(text)
        if (read !== null) expect([text, read]).toEqual([text, amount])
        else if (guesses(text).length > 0) expect(guesses(text)).toContain(amount)
      }),
      { numRuns: 5000 },
    )
  })
})

describe('what can be read in two ways is asked about', () => {
  test.each([
    ['EUR', 'en-IE', '1.250', [125000, 125]],
    ['EUR', 'en-IE', '1.234', [123400]],
    ['EUR', 'fr-FR', '1.250', [125000, 125]],
    ['EUR', 'nl-NL', '1,250', [125000, 125]],
    ['CHF', 'de-CH', '1.250', [125000, 125]],
    ['EUR', 'nl-NL', '0.500', [50]],
    ['JPY', 'ja-JP', '1.250', [1250]],
    ['KWD', 'en-KW', '1,250', [1250000, 1250]],
    ['KWD', 'de-DE', '1.250', [1250000, 1250]],
    ['KWD', 'fr-TN', '1.250', [1250000, 1250]],
  ])('%s %s %s: %j', (name, of, text, amounts) => {
    expect(money(name, of).parse(text)).toBeNull()
    expect(money(name, of).guesses(text)).toEqual(amounts)
  })

  test('on the page: nothing is charged, the answer is filled in, and its total shown before it is paid', async () => {
    const { customer, processor } = await openShop()
    const { target } = await customer.open('/table-1')
    const asked = await customer.press(target, { amount: '1.250', tip: '1', total: '125' })
    expect(asked.response.status).toBe(422)
    expect(asked.page).toContain('Which amount do you mean?')
    expect([...asked.page.matchAll(/name="amount-meant" value="(\d+)"/g)].map(([, value]) => value)).toEqual([
      '125000',
      '125',
    ])
    expect(totalShown(asked.page)).toBe('')

    const meant = await customer.press(target, {
      amount: '1.250',
      tip: '1',
      total: '',
      'amount-meant': '125',
    })
    expect([stateOf(meant.page), totalShown(meant.page)]).toEqual(['pay', '225'])
    expect(meant.page).toContain('value="1.25"')
    expect(meant.page).toContain('The total is €2.25.')
    expect(processor.charged).toEqual([])
    await customer.press(target, { amount: '1.25', tip: '1', total: '225' })
    expect(processor.charged).toMatchObject([{ totalAmount: 225, tipAmount: 100 }])
  })

  test('an answer to another question counts for nothing', async () => {
    const { customer, processor } = await openShop()
    const { target } = await customer.open('/table-1')
    for (const [amount, meant] of [
      ['1.250', '5'],
      ['1.250', ''],
      ['1.250', '-125'],
      ['1.250', '1.25e2'],
      ['7', '125'],
    ] as const) {
      const { page } = await customer.press(target, { amount, total: '125', 'amount-meant': meant })
      expect(page).toContain(`value="${amount}"`)
    }
    expect(processor.charged).toEqual([])
  })

  test('a tip as well', async () => {
    const { customer } = await openShop()
    const { target } = await customer.open('/table-1?amount=1000')
    expect((await customer.press(target, { tip: '1.500', total: '1000' })).page).toContain(
      'name="tip-meant" value="150"',
    )
    const meant = await customer.press(target, { tip: '1.500', 'tip-meant': '150', total: '1000' })
    expect(meant.page).toContain('The total is €11.50.')
  })
})
