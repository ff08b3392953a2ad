import { expect, test } from 'vitest'
import { keepable, withoutTexts } from '../../../src/webhooks/worker/keepable.ts'

const ATTEMPT = { at: '2026-11-20T09:30:00.000Z', status: 200, milliseconds: 12, error: null, answer: 'ok' }

test('an attempt that every store can keep is kept as it is', () => {
  expect(keepable(ATTEMPT)).toEqual(ATTEMPT)
})

test.each([[1.5], [Number.NaN], [Number.POSITIVE_INFINITY], [2 ** 53]])('a status of %d is none', status => {
  expect(keepable({ ...ATTEMPT, status }).status).toBe(null)
})

test.each([
  [1.6, 2],
  [-3, 0],
  [Number.NaN, 0],
  [Number.POSITIVE_INFINITY, 0],
])('%d milliseconds are kept as %i', (milliseconds, kept) => {
  expect(keepable({ ...ATTEMPT, milliseconds }).milliseconds).toBe(kept)
})

test.each([
  ['NUL', 'a\0b\0', 'a\ufffdb\ufffd'],
  ['half a surrogate pair', 'a\ud83d', 'a\ufffd'],
  ['more than a column holds', 'é'.repeat(1025), 'é'.repeat(1024)],
  ['a pair at its end', `${'x'.repeat(1023)}😀😀`, `${'x'.repeat(1023)}😀`],
])('%s is in no text of it', (_, text, kept) => {
  expect(keepable({ ...ATTEMPT, error: text, answer: text })).toMatchObject({ error: kept, answer: kept })
})

test('without its texts it is the success or the failure that it was', () => {
  expect(withoutTexts(ATTEMPT)).toEqual({ ...ATTEMPT, answer: null })
  const failed = { ...ATTEMPT, status: 500, error: 'answered 500' }
  expect(withoutTexts(failed)).toEqual({ ...failed, error: 'failed', answer: null })
})
