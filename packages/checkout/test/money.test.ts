import { money } from '@tillkit/checkout'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')

describe('shown', () => {
  test.each([
    ['EUR', 'nl-NL', 1250, '€ 12,50'],
    ['EUR', 'de-DE', 123456789, '1.234.567,89 €'],
    ['EUR', 'en-IE', 0, '€0.00'],
    ['JPY', 'ja-JP', 1250, '¥1,250'],
    ['KWD', 'en-KW', 1250, 'KWD 1.250'],
    ['USD', 'en-US', 5, '$0.05'],
    ['EUR', 'en-IE', Number.MAX_SAFE_INTEGER, '€90,071,992,547,409.91'],
  ])('%s %s %i', (currency, locale, cents, text) => {
    expect(plain(money(currency, locale).format(cents)).replace('￥', '¥')).toBe(text)
  })
})

describe('typed', () => {
  test.each([
    ['EUR', 'nl-NL', '12,50', 1250],
    ['EUR', 'nl-NL', '12.50', 1250],
    ['EUR', 'nl-NL', ' 12,5 ', 1250],
    ['EUR', 'nl-NL', '12', 1200],
    ['EUR', 'nl-NL', '1.250', 125000],
    ['EUR', 'nl-NL', '1.250,00', 125000],
    ['EUR', 'nl-NL', '1250,00', 125000],
    ['EUR', 'nl-NL', '1.234.567,89', 123456789],
    ['EUR', 'nl-NL', '0', 0],
    ['EUR', 'nl-NL', '007', 700],
    ['EUR', 'en-IE', '12.50', 1250],
    ['EUR', 'en-IE', '12,50', 1250],
    ['EUR', 'en-IE', '1,250.00', 125000],
    ['EUR', 'fr-FR', '1 250,00', 125000],
    ['EUR', 'fr-FR', '1\u202f250,00', 125000],
    ['CHF', 'de-CH', "1'250.05", 125005],
    ['CHF', 'de-CH', '1’250.05', 125005],
    ['INR', 'en-IN', '12,34,567.89', 123456789],
    ['EGP', 'ar-EG', '١٢٫٥٠', 1250],
    ['EGP', 'ar-EG', '12.50', 1250],
    ['JPY', 'ja-JP', '1,250', 1250],
    ['JPY', 'ja-JP', '1250', 1250],
    ['KWD', 'en-KW', '1.250', 1250],
    ['KWD', 'de-DE', '1,250', 1250],
    ['KWD', 'de-DE', '1.250,000', 1250000],
    ['KWD', 'de-DE', '1250.250', 1250250],
    ['EUR', 'nl-NL', '1,250.50', 125050],
    ['EUR', 'nl-NL', '1 250,50', 125050],
    ['EUR', 'nl-NL', "1'250.50", 125050],
    ['EUR', 'en-IE', '1.250,50', 125050],
    ['EUR', 'en-IE', '1.250.000', 125000000],
    ['EUR', 'en-IE', '1 250', 125000],
    ['EUR', 'de-AT', '1.250', 125000],
    ['EUR', 'de-AT', '1 250,5', 125050],
    ['ZAR', 'af-ZA', '1 234,50', 123450],
    ['INR', 'en-IN', '1,234,567.89', 123456789],
    ['EUR', 'nl-NL', '999999999999,99', 99999999999999],
  ])('%s %s "%s" is %i', (currency, locale, text, cents) => {
    expect(money(currency, locale).parse(text)).toBe(cents)
  })

  test.each([
    ['EUR', 'nl-NL', ''],
    ['EUR', 'nl-NL', ' '],
    ['EUR', 'nl-NL', '12,505'],
    ['EUR', 'nl-NL', '12.505,1.1'],
    ['EUR', 'nl-NL', '1.25.00'],
    ['EUR', 'nl-NL', '12.5000'],
    ['EUR', 'nl-NL', '1,250,00'],
    ['EUR', 'nl-NL', '-12,50'],
    ['EUR', 'nl-NL', '+12,50'],
    ['EUR', 'nl-NL', '12,'],
    ['EUR', 'nl-NL', ',50'],
    ['EUR', 'nl-NL', '€ 12,50'],
    ['EUR', 'nl-NL', '1e3'],
    ['EUR', 'nl-NL', '0x10'],
    ['EUR', 'nl-NL', 'twelve'],
    ['EUR', 'nl-NL', '١٢'],
    ['EUR', 'nl-NL', '12\n50'],
    ['EUR', 'nl-NL', '1000000000000'],
    ['EUR', 'en-IE', '12,34,567'],
    ['EUR', 'en-IE', '1,25'.repeat(1000)],
    ['JPY', 'ja-JP', '12.5'],
    ['JPY', 'ja-JP', '12.50'],
    ['EUR', 'fr-FR', '1 25,00'],
    ['EUR', 'nl-NL', '1.250.00'],
    ['EUR', 'nl-NL', '1.250 000'],
    ['EUR', 'nl-NL', '0.250.000'],
    ['EUR', 'nl-NL', '12 50'],
    ['EUR', 'nl-NL', '1.2345'],
  ])('%s %s "%s" is no amount', (currency, locale, text) => {
    expect(money(currency, locale).parse(text)).toBeNull()
    expect(money(currency, locale).guesses(text).length).toBe(text === '12,505' ? 1 : 0)
  })

  test('an amount as it is shown is read back, in any locale', () => {
    const locales = [
      'nl-NL',
      'de-AT',
      'de-CH',
      'en-US',
      'en-IN',
      'fr-FR',
      'fr-CH',
      'pt-PT',
      'es-ES',
      'pl-PL',
      'sv-SE',
      'ar-EG',
      'fa-IR',
      'hi-IN',
      'bn-BD',
      'ja-JP',
      'hu-HU',
    ]
    const currencies = ['EUR', 'JPY', 'KWD', 'USD']
    fc.assert(
      fc.property(
        fc.constantFrom(...locales),
        fc.constantFrom(...currencies),
        fc.nat(1e13),
        (locale, currency, cents) => {
          const amounts = money(currency, locale)
          const text = new Intl.NumberFormat(locale, {
            minimumFractionDigits: amounts.digits,
            maximumFractionDigits: amounts.digits,
          }).format(`${BigInt(cents)}e-${amounts.digits}` as `${number}`)
          const tooLarge = cents >= 10 ** (12 + amounts.digits)
          if (!tooLarge) expect(amounts.parse(text)).toBe(cents)
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('whatever is typed is a whole number of cents or nothing', () => {
    const text = fc.string({ unit: fc.constantFrom(..."0123456789.,  '’\u00a0-+e€") })
    const amounts = money('EUR', 'nl-NL')
    fc.assert(
      fc.property(text, typed => {
        const cents = amounts.parse(typed)
        if (cents !== null) expect(Number.isSafeInteger(cents) && cents >= 0).toBe(true)
      }),
      { numRuns: 5000 },
    )
  })
})
