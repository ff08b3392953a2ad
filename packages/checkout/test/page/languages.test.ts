import {
  afrikaans,
  type CheckoutOptions,
  dutch,
  english,
  german,
  type Texts,
  translations,
} from '@tillkit/checkout'
import type { HttpHandler } from '@tillkit/http'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { openShop, QR_BASE_URL, send } from '../shop.ts'

/** The page that a browser which asks for `accept` sees. */
async function pageIn(handler: HttpHandler, accept: string | undefined, target = '/shelf?amount=125050') {
  const headers = accept === undefined ? {} : { 'accept-language': accept }
  const { headers: answer } = await send(handler, target, { headers })
  const cookie = answer['Set-Cookie']?.split(';')[0]
  const there =
    answer.Location === undefined ? target : target.replace(/^[^?]*/, `/${answer.Location.split('?')[0]}`)
  const { body } = await send(handler, there, { headers: { ...headers, ...(cookie && { cookie }) } })
  return spaced(String(body))
}

/** `Intl` has spaces and apostrophes of several kinds. */
function spaced(text: string): string {
  return text.replace(/[\u00a0\u202f]/g, ' ').replace(/’|&#39;/g, "'")
}

const language = (page: string) => /<html lang="([^"]*)"/.exec(page)?.[1]
const button = (page: string) => /<button type="submit" class="pay">([^<]*)</.exec(page)?.[1]

describe('the browser says which language', () => {
  test.each([
    ['en-IE', 'en', 'Pay €1,250.50'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de', '€ 1.250,50 bezahlen'],
    ['de-CH', 'de', "EUR 1'250.50 bezahlen"],
    ['fr-FR,fr;q=0.9', 'fr', 'Payer 1 250,50 €'],
    ['nl-NL', 'nl', 'Betaal € 1.250,50'],
    ['es-ES', 'es', 'Pagar 1250,50 €'],
    ['es-MX', 'es', 'Pagar EUR 1,250.50'],
    ['pt-BR', 'pt', 'Pagar € 1.250,50'],
    ['it', 'it', 'Paga 1250,50 €'],
    ['af-ZA', 'af', 'Betaal €1 250,50'],
    ['DE', 'de', '1.250,50 € bezahlen'],
    ['pl-PL,de;q=0.2', 'de', '1.250,50 € bezahlen'],
    ['de;q=0, nl;q=0.1', 'nl', 'Betaal € 1.250,50'],
    ['nl-NL-u-nu-arab', 'nl', 'Betaal € 1.250,50'],
  ])('%s: %s, %s', async (accept, expected, pay) => {
    const { checkout } = await openShop()
    const page = await pageIn(checkout.handler, accept)
    expect(language(page)).toBe(expected)
    expect(button(page)).toBe(pay)
  })

  test.each([
    undefined,
    '',
    '*',
    'pl',
    'pl-PL, *;q=0.5',
    'fr;q=0.1, *',
    'x;;;',
    '-',
    'toString',
    '__proto__',
    '\u00ff',
  ])('%j is no wish: the language of the host’s locale', async accept => {
    const { checkout } = await openShop({ locale: 'nl-BE' })
    const page = await pageIn(checkout.handler, accept)
    expect([language(page), button(page)]).toEqual(['nl', 'Betaal € 1.250,50'])
  })

  test('a host whose own language is none of these has English, and its own way to write amounts', async () => {
    const { checkout } = await openShop({ locale: 'pl-PL' })
    expect(button(await pageIn(checkout.handler, 'pl'))).toBe('Pay 1250,50 €')
  })

  test.each(['nl-BE', 'nl', 'pl'])('the host’s own customer, %s, reads its digits', async accept => {
    const { checkout } = await openShop({ locale: 'nl-BE-u-nu-arab' })
    expect(button(await pageIn(checkout.handler, accept))).toBe('Betaal ١٬٢٥٠٫٥٠ €')
  })

  test('a language without a country is written as in the host’s', async () => {
    const { checkout } = await openShop({ locale: 'de-CH', currency: 'CHF' })
    expect(button(await pageIn(checkout.handler, 'fr'))).toMatch(/^Payer 1[ ']250\.50 CHF$/)
  })

  test('what was typed is read in the language that it was typed in', async () => {
    const { checkout, processor, customer } = await openShop()
    const { target } = await customer.open('/shelf')
    const headers = {
      ...{ cookie: customer.cookie(), 'accept-language': 'de-DE', 'sec-fetch-site': 'same-origin' },
      'content-type': 'application/x-www-form-urlencoded',
    }
    const form = { amount: '1.250', total: '125000' }
    await send(checkout.handler, target, { form, headers })
    expect(processor.charged).toMatchObject([{ totalAmount: 125000 }])
  })

  test.each([
    [`de,${'x'.repeat(600)},nl`, 'de'],
    [`${'x'.repeat(600)},de,nl`, 'en'],
    [`${'x'.repeat(600)}${',de'.repeat(4000)},nl`, 'en'],
  ])('of a long header the first 500 letters are read: %#', async (accept, expected) => {
    const { checkout } = await openShop()
    expect(language(await pageIn(checkout.handler, accept))).toBe(expected)
  })

  test('whatever a browser sends, there is a page, and no more kinds of pages than Intl knows', async () => {
    const { checkout } = await openShop()
    const part = fc.oneof(
      ...['de', 'nl', 'en', '*', 'q', ';', ',', '=', 'zz', 'u-nu-arab', '001'].map(fc.constant),
      fc.string({ maxLength: 8 }),
    )
    const header = fc.oneof(
      fc.array(part, { maxLength: 30 }).map(parts => parts.join('-')),
      fc.array(part, { maxLength: 2000 }).map(parts => parts.join(',')),
    )
    const signs = new Set<string | undefined>()
    await fc.assert(
      fc.asyncProperty(header, async accept => {
        const page = await pageIn(checkout.handler, accept, '/nobody')
        expect(translations.map(({ unknown }) => unknown)).toContain(/<h1>([^<]*)/.exec(page)?.[1])
        signs.add(language(page))
      }),
      { numRuns: 300 },
    )
    expect([...signs].every(sign => translations.some(({ language }) => language === sign))).toBe(true)
  })
})

describe('the host says which language', () => {
  const open = async (options: Partial<CheckoutOptions>) => (await openShop(options)).checkout.handler

  test('for all pages', async () => {
    const handler = await open({ language: 'de', locale: 'nl-NL' })
    expect(button(await pageIn(handler, 'fr-FR'))).toBe('1.250,50 € bezahlen')
    expect(button(await pageIn(await open({ language: 'de-AT', locale: 'nl-NL' }), 'fr'))).toBe(
      '€ 1.250,50 bezahlen',
    )
  })

  test('for each request; undefined, and what is no language, leaves it to the browser', async () => {
    const handler = await open({
      language: ({ headers }) => /lang=([\w-]+)/.exec(headers.cookie ?? '')?.[1],
    })
    const see = async (cookie: string) => {
      const headers = { cookie, 'accept-language': 'fr' }
      return language(String((await send(handler, '/nobody', { headers })).body))
    }
    expect(await see('lang=nl')).toBe('nl')
    expect(await see('lang=xx')).toBe('fr')
    expect(await see('')).toBe('fr')
  })

  test('a function that throws takes no page away, and is heard of', async () => {
    const logger = { warn: vi.fn(), error: vi.fn() }
    const language_ = () => {
      throw new Error('no idea')
    }
    const handler = await open({ language: language_, logger })
    expect(language(await pageIn(handler, 'es'))).toBe('es')
    expect(logger.warn).toHaveBeenCalledWith(
      { err: new Error('no idea') },
      expect.stringContaining('language'),
    )
    expect(logger.error).not.toHaveBeenCalled()
  })

  test('by texts: one language for everybody, with the rest in that language', async () => {
    const handler = await open({ locale: 'nl-NL', texts: { language: 'nl', pay: 'Reken {total} af' } })
    const page = await pageIn(handler, 'fr-FR')
    expect([language(page), button(page)]).toEqual(['nl', 'Reken € 1.250,50 af'])
    expect(page).toContain(dutch.total)
    expect(language(await pageIn(await open({ texts: { payTo: 'For' } }), 'fr'))).toBe('en')
  })

  test('adds languages and replaces others', async () => {
    const frisian: Texts = { ...dutch, language: 'fy', pay: 'Betelje {total}' }
    const handler = await open({ languages: [...translations, frisian, { ...german, pay: 'Zahle {total}' }] })
    expect(button(await pageIn(handler, 'fy-NL'))).toMatch(/^Betelje /)
    expect(button(await pageIn(handler, 'de-DE'))).toBe('Zahle 1.250,50 €')
    expect(language(await pageIn(handler, 'es'))).toBe('es')
  })

  test('offers some only', async () => {
    const handler = await open({ languages: [afrikaans, english], locale: 'en-ZA' })
    expect(language(await pageIn(handler, 'af'))).toBe('af')
    expect(language(await pageIn(handler, 'de'))).toBe('en')
    expect(language(await pageIn(await open({ languages: [afrikaans], locale: 'pl' }), 'de'))).toBe('af')
  })

  test.each<[object, RegExp]>([
    [{ language: 'pl' }, /^language must be one that there are texts in: en, de, fr, nl, es, pt, it, af$/],
    [{ language: 7 }, /^language must be a language or a function/],
    [{ languages: [] }, /^languages must have one language at least/],
    [{ languages: [{ ...german, payTo: undefined }] }, /^languages.0.payTo must be a string/],
    [{ languages: [german, { ...german, wrongLinks: {} }] }, /^languages.1.wrongLinks.\w+ must be a string/],
    [{ languages: [{ ...german, failures: {} }] }, /^languages.0.failures.\w+ must be a string/],
    [{ languages: [{ ...german, pajTo: '' }] }, /^languages.0.pajTo is not a known name/],
    [{ languages: [{ ...german, language: 'no language' }] }, /^languages must be a locale/],
    [{ languages: [german], texts: {} }, /^texts is one language for everybody: .* languages/],
    [{ language: 'de', texts: {} }, /^texts is one language for everybody: .* language$/],
  ])('what is wrong is named: %j', async (options, message) => {
    await expect(openShop(options as Partial<CheckoutOptions>)).rejects.toThrow(
      expect.objectContaining({ code: 'invalid_input', message: expect.stringMatching(message) }),
    )
  })
})

test('of a header that no browser sends the beginning is read', async () => {
  const { checkout } = await openShop()
  const polish = Array.from({ length: 100 }, () => 'pl').join(',')
  expect(language(await pageIn(checkout.handler, `${polish},de`))).toBe('de')
  expect(language(await pageIn(checkout.handler, `${polish},${polish},de`))).toBe('en')
})

test('the address of the page says nothing of its language', async () => {
  const { customer } = await openShop({ language: 'de' })
  const { target } = await customer.open('/shelf?amount=5')
  expect(new URL(target, QR_BASE_URL).search).toBe('?amount=5')
})
