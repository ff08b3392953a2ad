import { type ConsoleOptions, createConsole } from '@tillkit/console'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill, type Till } from '@tillkit/till'
import { describe, expect, test } from 'vitest'

const till = createTill({ storage: memoryStorage(), logger: false })
const good: ConsoleOptions = { authorize: () => null, currency: 'EUR' }

const wrong: [name: string, options: object, message: RegExp][] = [
  ['no authorize', { authorize: undefined }, /^authorize must be a function/],
  ['authorize that is none', { authorize: true }, /^authorize must be a function/],
  ['no currency', { currency: undefined }, /^currency must be/],
  ['a currency that there is not', { currency: 'XQX' }, /^currency must be a currency/],
  ['a locale that is none', { locale: 'no locale' }, /^locale must be a locale/],
  ['a time zone that is none', { timeZone: 'Europe/Atlantis' }, /^timeZone must be a time zone/],
  ['a colour that is none', { brand: { colour: 'red' } }, /^brand.colour must be a colour/],
  ['a logo from anywhere', { brand: { logo: 'http://x.example/l.png' } }, /^brand.logo must be/],
  ['a permission that there is not', { permissions: ['read', 'fly'] }, /^permissions.1 must be of read, /],
  ['onAction that is none', { onAction: 'log' }, /^onAction must be a function/],
  ['lookup that is none', { lookup: {} }, /^lookup must be a function/],
  ['qrBaseUrl over plain HTTP', { qrBaseUrl: 'http://pay.example.com' }, /^qrBaseUrl/],
  ['loginUrl of a script', { loginUrl: 'javascript:alert(1)' }, /^loginUrl must be/],
  ['loginUrl of another host', { loginUrl: '//evil.example/' }, /^loginUrl must be/],
  ['a challenge of two lines', { challenge: 'Basic\r\nX: y' }, /^challenge must be/],
  ['rateLimits that are none', { rateLimits: true }, /^rateLimits must be/],
  ['a logger that is none', { logger: {} }, /^logger must be a logger/],
  ['a name that there is not', { authorise: () => null }, /^authorise is not a known name/],
]

describe('without what it needs it does not start', () => {
  for (const [name, options, message] of wrong) {
    test(name, () => {
      const start = () => createConsole(till, { ...good, ...options })
      expect(start).toThrow(
        expect.objectContaining({ code: 'invalid_input', message: expect.stringMatching(message) }),
      )
    })
  }

  test('a till that is none, and no options at all', () => {
    expect(() => createConsole({} as Till, good)).toThrow(/^till must be what createTill returns/)
    expect(() => createConsole(till, undefined as unknown as ConsoleOptions)).toThrow(
      /options of createConsole/,
    )
  })
})
