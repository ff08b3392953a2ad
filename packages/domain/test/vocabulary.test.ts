import {
  namesByWord,
  renamingOf,
  VOCABULARY,
  type Vocabulary,
  validate,
  vocabulary,
  wordOf,
} from '@tillkit/domain'
import fc from 'fast-check'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'

const options = z.strictObject({ vocabulary })
const checked = (given: unknown) => validate(options, { vocabulary: given }, 'options').vocabulary

const names = [...new Set(Object.values(VOCABULARY).flat())]

describe('a vocabulary', () => {
  test('keeps what it changes, and is nothing where that is nothing', () => {
    expect(checked({ scanCode: 'snapCode', status: 'status', date: undefined })).toEqual({
      scanCode: 'snapCode',
    })
    expect(checked({ scanCode: 'scanCode' })).toBeUndefined()
    expect(checked({})).toBeUndefined()
  })

  test.each([
    [null, /^vocabulary must be an object of words/],
    [[], /^vocabulary must be an object of words/],
    [
      { snapCode: 'scanCode' },
      /^vocabulary\.snapCode is not a name of the vocabulary, which are id, status, .*, Service$/,
    ],
    [JSON.parse('{"__proto__":"x"}'), /^vocabulary\.__proto__ is not a name/],
    [{ scanCode: '' }, /^vocabulary\.scanCode must be a word of 1 to 64/],
    [{ scanCode: 7 }, /^vocabulary\.scanCode must be a word/],
    [{ scanCode: 'snap code' }, /^vocabulary\.scanCode must be a word/],
    [{ scanCode: '__proto__' }, /^vocabulary\.scanCode must be a word/],
    [{ payments: 'a/b' }, /^vocabulary\.payments must be a word/],
    [{ amount: 'a&b' }, /^vocabulary\.amount must be a word/],
    [{ scanCode: 'x'.repeat(65) }, /^vocabulary\.scanCode must be a word/],
    [{ Service: 'Snap Scan' }, /^vocabulary\.Service must be a scheme/],
    [{ Service: 'Service\n' }, /^vocabulary\.Service must be a scheme/],
    [{ scanCode: 'id' }, /^vocabulary\.scanCode must not be id, the word for id beside it$/],
    [{ id: 'scanCode' }, /^vocabulary\.id must not be scanCode, the word for scanCode beside it$/],
    [
      { startDate: 'from', endDate: 'from' },
      /^vocabulary\.endDate must not be from, the word for startDate beside it$/,
    ],
    [{ cash_ups: 'payments' }, /^vocabulary\.cash_ups must not be payments/],
    [{ scan_code_size: 'amount' }, /^vocabulary\.scan_code_size must not be amount/],
    [{ code: 'message' }, /^vocabulary\.code must not be message/],
  ])('%j is refused, naming the entry', (given, message) => {
    expect(() => checked(given)).toThrow(message)
  })

  test('words may change places, and be those of names elsewhere', () => {
    const given = { id: 'scanCode', scanCode: 'id', page: 'date', Service: 'Service+1' }
    expect(checked(given)).toEqual(given)
  })

  test('has a type that knows its names', () => {
    expectTypeOf<{ scanCode: string }>().toExtend<Vocabulary>()
    expectTypeOf<Vocabulary>().not.toHaveProperty('snapCode')
  })
})

/** Fit words for some of the names: those that collide are left out by what is being tested. */
const someWords = fc
  .dictionary(fc.constantFrom(...names), fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,11}$/), {
    noNullPrototype: true,
  })
  .filter(given =>
    Object.values(VOCABULARY).every(
      group => new Set(group.map(name => wordOf(given, name))).size === group.length,
    ),
  )

describe('renaming', () => {
  test('keeps order and values, and is undone by the names of the words', () => {
    fc.assert(
      fc.property(
        someWords,
        fc.constantFrom('payment' as const, 'cashUp' as const, 'list' as const),
        (given, group) => {
          const words = checked(given)
          const object = Object.fromEntries(VOCABULARY[group].map((name, index) => [name, index]))
          const renamed = renamingOf(words, group)?.(object) ?? object
          expect(Object.keys(renamed)).toEqual(VOCABULARY[group].map(name => wordOf(words, name)))
          const back = namesByWord(words, group)
          const undone = Object.entries(renamed).map(([word, value]) => [back?.get(word) ?? word, value])
          expect(Object.fromEntries(undone)).toEqual(object)
        },
      ),
    )
  })

  test('is none where nothing of a kind has another word', () => {
    expect(renamingOf(undefined, 'payment')).toBeUndefined()
    expect(renamingOf({ Service: 'SnapScan' }, 'payment')).toBeUndefined()
    expect(namesByWord({ Service: 'SnapScan' }, 'list')).toBeUndefined()
  })
})
