import { MAX_EXTRA_BYTES, MAX_EXTRA_NAMES, startPayment, TillError, validate } from '@tillkit/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const read = (extra: unknown) =>
  validate(startPayment, { scanCode: 'till-1', totalAmount: 1, extra }, 'a payment').extra ?? null

const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`n${n}`, '']))

test('any names and values are kept as they are', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 20 })
  fc.assert(
    fc.property(fc.dictionary(text, text, { maxKeys: 20 }), extra => {
      expect(Object.entries(read(extra) ?? {})).toEqual(Object.entries(extra))
    }),
  )
})

test('a name like __proto__ does no harm', () => {
  const kept = read(JSON.parse('{"__proto__": "polluted", "constructor": "x"}')) ?? {}
  expect(Object.entries(kept)).toEqual([
    ['__proto__', 'polluted'],
    ['constructor', 'x'],
  ])
  expect(Object.getPrototypeOf(kept)).toBe(Object.prototype)
})

test('what was given may change afterwards', () => {
  const given = { waiter: 'Ann' }
  const kept = read(given)
  given.waiter = 'Bob'
  expect(kept).toEqual({ waiter: 'Ann' })
})

test('up to 50 names and 8 KiB of UTF-8 in all', () => {
  expect(Object.keys(read(names(MAX_EXTRA_NAMES)) ?? {}).length).toBe(MAX_EXTRA_NAMES)
  expect(read({ n: 'x'.repeat(MAX_EXTRA_BYTES - 1) })).not.toBe(null)
  expect(read({ é: '💶'.repeat(2047) })).not.toBe(null)
  const tooMuch = [
    names(MAX_EXTRA_NAMES + 1),
    { n: 'x'.repeat(MAX_EXTRA_BYTES) },
    { é: `${'💶'.repeat(2047)}xxx` },
    { ['n'.repeat(MAX_EXTRA_BYTES + 1)]: '' },
  ]
  for (const extra of tooMuch) expect(() => read(extra)).toThrow('extra must map up to 50 names to text')
})

test('null counts as left out', () => {
  expect(read(null)).toBe(null)
  expect(read(undefined)).toBe(null)
})

test.each([
  [[]],
  [['a']],
  ['text'],
  [1],
  [{ n: 1 }],
  [{ n: null }],
  [{ n: 'a\0b' }],
  [{ 'a\0b': '' }],
  [{ n: '\ud800' }],
])('%j is no extra', extra => {
  expect(() => read(extra)).toThrow(TillError)
  expect(() => read(extra)).toThrow(/^extra must /)
})
