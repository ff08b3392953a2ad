import { merchantApi } from '@tillkit/http'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openTill, parsed, send } from '../fixture.ts'

const { till, apiKey, merchant, pay } = await openTill()
const api = merchantApi(till, { rateLimits: false })
const TOTAL = 23
for (let i = 0; i < TOTAL; i++) await pay({}, 'completed')
const { reference } = await till.cashUps.create(merchant.id)
for (let i = 1; i < TOTAL; i++) await till.cashUps.create(merchant.id)

const pageHeaders = (headers: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.startsWith('X-') && name !== 'X-Request-Id'),
  )

test('without parameters', async () => {
  expect(pageHeaders((await send(api, '/payments', { apiKey })).headers)).toEqual({
    'X-Total': '23',
    'X-Total-Pages': '1',
    'X-Page': '1',
    'X-Per-Page': '50',
    'X-Offset': '0',
  })
})

test('in the middle', async () => {
  expect(pageHeaders((await send(api, '/payments?page=2&perPage=5&offset=1', { apiKey })).headers)).toEqual({
    'X-Total': '23',
    'X-Total-Pages': '5',
    'X-Page': '2',
    'X-Per-Page': '5',
    'X-Next-Page': '3',
    'X-Prev-Page': '1',
    'X-Offset': '1',
  })
})

test('past the end is 200 and empty', async () => {
  const response = await send(api, '/payments?page=9007199254740991&perPage=100', { apiKey })
  expect([response.status, response.body]).toEqual([200, '[]'])
  expect(pageHeaders(response.headers)).toMatchObject({ 'X-Page': '9007199254740991', 'X-Total-Pages': '1' })
  expect(response.headers).not.toHaveProperty('X-Next-Page')
  expect(response.headers).not.toHaveProperty('X-Prev-Page')
})

test('what is not a list has none', async () => {
  expect(pageHeaders((await send(api, '/payments/1', { apiKey })).headers)).toEqual({})
  expect(pageHeaders((await send(api, '/payments?page=0', { apiKey })).headers)).toEqual({})
})

test.each(['/payments', '/cash_ups', `/payments/cash_ups/${reference}`])(
  '%s: headers and items agree',
  async path => {
    const all = parsed(await send(api, `${path}?perPage=100`, { apiKey }))
    expect(all).toHaveLength(TOTAL)
    const numbers = fc.record({
      page: fc.integer({ min: 1, max: 30 }),
      perPage: fc.integer({ min: 1, max: 30 }),
      offset: fc.integer({ min: 0, max: 30 }),
    })
    await fc.assert(
      fc.asyncProperty(numbers, async ({ page, perPage, offset }) => {
        const target = `${path}?page=${page}&perPage=${perPage}&offset=${offset}`
        const response = await send(api, target, { apiKey })
        const skip = offset + (page - 1) * perPage
        const pages = Math.ceil(Math.max(TOTAL - offset, 0) / perPage)
        expect(parsed(response)).toEqual(all.slice(skip, skip + perPage))
        expect(pageHeaders(response.headers)).toEqual({
          'X-Total': String(TOTAL),
          'X-Total-Pages': String(pages),
          'X-Page': String(page),
          'X-Per-Page': String(perPage),
          'X-Offset': String(offset),
          ...(page + 1 <= pages && { 'X-Next-Page': String(page + 1) }),
          ...(page > 1 && page - 1 <= pages && { 'X-Prev-Page': String(page - 1) }),
        })
      }),
    )
  },
)
