import { english, type Texts, translations } from '@tillkit/checkout'
import { describe, expect, test } from 'vitest'

/** Every text by its name. */
function textsOf(texts: Texts): [string, string][] {
  return Object.entries(texts).flatMap(([name, text]): [string, string][] =>
    typeof text === 'string'
      ? [[name, text]]
      : Object.entries(text).map(([part, said]): [string, string] => [`${name}.${part}`, String(said)]),
  )
}

const blanks = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([blank]) => blank).sort()

/** What is the same word in English. */
const SAME = new Set(['fr: total', 'fr: date', 'es: total', 'pt: total'])

describe.each(translations.map(texts => [texts.language, texts] as const))('%s', (_, texts) => {
  test('says everything, and fills in what English does', () => {
    expect(textsOf(texts).map(([name]) => name)).toEqual(textsOf(english).map(([name]) => name))
    for (const [name, text] of textsOf(texts)) {
      const said = textsOf(english).find(([one]) => one === name)?.[1] ?? ''
      expect([name, blanks(text)]).toEqual([name, blanks(said)])
      expect([name, text.trim()]).toEqual([name, text])
      expect(text).not.toBe('')
    }
  })

  test('ends sentences as English does', () => {
    for (const [name, text] of textsOf(texts)) {
      const said = textsOf(english).find(([one]) => one === name)?.[1] ?? ''
      expect([name, /[.…]$/.exec(text)?.[0]]).toEqual([name, /[.…]$/.exec(said)?.[0]])
    }
  })
})

test.each(
  translations.filter(({ language }) => language !== 'en').map(texts => [texts.language, texts] as const),
)('%s leaves nothing in English', (language, texts) => {
  const left = textsOf(texts).filter(
    ([name, text]) => text === textsOf(english).find(([one]) => one === name)?.[1],
  )
  expect(left.filter(([name]) => !SAME.has(`${language}: ${name}`))).toEqual([])
})

test('a language without a text is an error of the compiler', () => {
  const { payTo: _, ...rest } = english
  // @ts-expect-error payTo is missing
  const texts: Texts = rest
  // @ts-expect-error stale is missing
  const failures: Texts['failures'] = { reference_taken: '', amount_too_low: '', card_declined: '' }
  // @ts-expect-error all but one are missing
  const wrongLinks: Texts['wrongLinks'] = { other: '' }
  expect([texts, failures, wrongLinks]).toHaveLength(3)
})
