import { isText, keptFailure, MAX_REFERENCE_LENGTH } from '@tillkit/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const hostile = {
  toString() {
    throw new Error('hands off')
  },
}

test.each<[string, unknown, string | null, boolean]>([
  ['nothing', undefined, null, true],
  ['null', null, null, true],
  ['an empty text', '', '', true],
  ['a text', 'card_declined', 'card_declined', true],
  ['255 characters', '🙂'.repeat(255), '🙂'.repeat(255), true],
  ['256 characters', '🙂'.repeat(256), '🙂'.repeat(255), false],
  ['8 MB', 'x'.repeat(8 << 20), 'x'.repeat(255), false],
  ['8 MB of NUL', '\0'.repeat(8 << 20), '', false],
  ['NUL within', 'a\0b', 'ab', false],
  ['NUL at the end of what fits', `${'x'.repeat(255)}\0`, 'x'.repeat(255), false],
  ['half a pair', 'a\ud800b', 'a\ufffdb', false],
  ['half a pair where it is cut', `${'x'.repeat(254)}\ud83d`, `${'x'.repeat(254)}\ufffd`, false],
  ['a number', 51, '51', true],
  ['Infinity', Number.POSITIVE_INFINITY, 'Infinity', true],
  ['NaN', Number.NaN, 'NaN', true],
  ['a boolean', false, 'false', true],
  ['a long whole number', 10n ** 400n, `1${'0'.repeat(254)}`, false],
  ['an object', { code: 51 }, null, false],
  ['an object that throws', hostile, null, false],
  ['an error', new Error('declined'), null, false],
  ['a list', ['declined'], null, false],
  ['a date', new Date(), null, false],
  ['a symbol', Symbol('declined'), null, false],
  ['a function', () => 'declined', null, false],
])('%s', (_, given, failure, whole) => {
  expect(keptFailure(given)).toEqual({ failure, whole })
})

test('whatever it is, what is kept fits every database, and a text that fits is kept as it is', () => {
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.string({ unit: 'binary', maxLength: 600 })), given => {
      const { failure, whole } = keptFailure(given)
      expect(failure === null || isText(failure, MAX_REFERENCE_LENGTH)).toBe(true)
      if (isText(given, MAX_REFERENCE_LENGTH))
        expect({ failure, whole }).toEqual({ failure: given, whole: true })
    }),
  )
})
