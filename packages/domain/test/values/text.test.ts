import { isAmount, isText, MAX_REFERENCE_LENGTH, shortened } from '@tillkit/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'

test('a text is counted in characters, not in code units', () => {
  expect(isText('x'.repeat(MAX_REFERENCE_LENGTH), MAX_REFERENCE_LENGTH)).toBe(true)
  expect(isText('x'.repeat(MAX_REFERENCE_LENGTH + 1), MAX_REFERENCE_LENGTH)).toBe(false)
  expect(isText('💶'.repeat(MAX_REFERENCE_LENGTH), MAX_REFERENCE_LENGTH)).toBe(true)
  expect(isText('💶'.repeat(MAX_REFERENCE_LENGTH + 1), MAX_REFERENCE_LENGTH)).toBe(false)
  expect(isText(`${'💶'.repeat(MAX_REFERENCE_LENGTH)}x`, MAX_REFERENCE_LENGTH)).toBe(false)
})

test('any well-formed text without NUL is one', () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 })
  fc.assert(
    fc.property(text, text => {
      expect(isText(text, 20)).toBe([...text].length <= 20 && !text.includes('\0'))
    }),
  )
})

test('what is no text', () => {
  for (const value of ['a\0b', '\0', '\ud83d', 'x\udcb6y', undefined, null, 1, ['a'], new String('a')]) {
    expect(isText(value, 255)).toBe(false)
  }
})

test('a text of more than 100 characters is shortened for a message', () => {
  expect(shortened('x'.repeat(100))).toBe('x'.repeat(100))
  expect(shortened('x'.repeat(101))).toBe(`${'x'.repeat(100)}…`)
})

test('a text is not shortened in the middle of a character: a message with half of one is no JSON to strict readers', () => {
  expect(shortened('💶'.repeat(51))).toBe(`${'💶'.repeat(50)}…`)
  expect(shortened(`x${'💶'.repeat(50)}`)).toBe(`x${'💶'.repeat(49)}…`)
})

test('an amount is a whole number of cents from 0 to 2^53 - 1', () => {
  for (const amount of [0, -0, 1, 2 ** 32, Number.MAX_SAFE_INTEGER]) expect(isAmount(amount)).toBe(true)
  for (const value of [-1, 0.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, '1', 1n, null, undefined]) {
    expect(isAmount(value)).toBe(false)
  }
})
