import { VOCABULARY } from '@tillkit/domain'
import { expect, test } from 'vitest'
import { NAMES } from '../src/vocabulary/names.ts'

test('the names that the client has words for are those of the API', () => {
  expect(NAMES).toEqual(VOCABULARY)
})
