import { pagePosition, pageRequest, sliceOf, TillError, validate } from '@tillkit/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const MOST = Number.MAX_SAFE_INTEGER
const read = (input: unknown) => validate(pageRequest, input, 'a page')
const small = fc.record({
  page: fc.integer({ min: 1, max: 30 }),
  perPage: fc.integer({ min: 1, max: 100 }),
  offset: fc.integer({ min: 0, max: 300 }),
})

test('the first fifty are the default', () => {
  expect(read({})).toEqual({ page: 1, perPage: 50, offset: 0 })
  expect(sliceOf(read({}))).toEqual({ skip: 0, limit: 50 })
  expect(sliceOf(read({ page: 3, perPage: 20, offset: 7 }))).toEqual({ skip: 47, limit: 20 })
})

test.each([
  [{ page: 0 }, `page must be an integer from 1 to ${MOST}`],
  [{ page: 1.5 }, `page must be an integer from 1 to ${MOST}`],
  [{ page: MOST + 1 }, `page must be an integer from 1 to ${MOST}`],
  [{ page: '1' }, 'page must be an integer from 1 to'],
  [{ page: null }, 'page must be an integer from 1 to'],
  [{ perPage: 0 }, 'perPage must be an integer from 1 to 100'],
  [{ perPage: 101 }, 'perPage must be an integer from 1 to 100'],
  [{ perPage: Number.NaN }, 'perPage must be an integer from 1 to 100'],
  [{ offset: -1 }, `offset must be an integer from 0 to ${MOST}`],
  [{ limit: 1 }, 'limit is not a known name of a page'],
])('%j is refused by name', (input, message) => {
  expect(() => read(input)).toThrow(TillError)
  expect(() => read(input)).toThrow(message)
})

test('a slice never leaves the integers', () => {
  expect(sliceOf({ page: MOST, perPage: 100, offset: MOST })).toEqual({ skip: MOST, limit: 100 })
})

test('pages beside one another share nothing and miss nothing after the offset', () => {
  fc.assert(
    fc.property(small, fc.integer({ min: 0, max: 1000 }), (page, total) => {
      const records = Array.from({ length: total }, (_, n) => n)
      const { totalPages } = pagePosition(page, total)
      const seen = Array.from({ length: totalPages }, (_, n) => sliceOf({ ...page, page: n + 1 })).flatMap(
        ({ skip, limit }) => records.slice(skip, skip + limit),
      )
      expect(seen).toEqual(records.slice(page.offset))
    }),
  )
})

test('a neighbour is a page that is there, or null', () => {
  fc.assert(
    fc.property(small, fc.integer({ min: 0, max: 1000 }), (page, total) => {
      const { totalPages, nextPage, prevPage } = pagePosition(page, total)
      expect(totalPages).toBe(Math.ceil(Math.max(total - page.offset, 0) / page.perPage))
      expect(nextPage).toBe(page.page < totalPages ? page.page + 1 : null)
      expect(prevPage).toBe(page.page > 1 && page.page - 1 <= totalPages ? page.page - 1 : null)
    }),
  )
})

test('positions at the edges', () => {
  const page = { page: 1, perPage: 50, offset: 0 }
  expect(pagePosition(page, 0)).toEqual({ totalPages: 0, nextPage: null, prevPage: null })
  expect(pagePosition(page, 50)).toEqual({ totalPages: 1, nextPage: null, prevPage: null })
  expect(pagePosition(page, 51)).toEqual({ totalPages: 2, nextPage: 2, prevPage: null })
  expect(pagePosition({ ...page, page: 2 }, 51)).toEqual({ totalPages: 2, nextPage: null, prevPage: 1 })
  expect(pagePosition({ ...page, page: 3 }, 51)).toEqual({ totalPages: 2, nextPage: null, prevPage: 2 })
  expect(pagePosition({ ...page, page: 4 }, 51)).toEqual({ totalPages: 2, nextPage: null, prevPage: null })
  expect(pagePosition({ ...page, offset: 51 }, 51)).toEqual({ totalPages: 0, nextPage: null, prevPage: null })
})
