import { describe, expect, test } from 'vitest'
import { refusal, tillOf } from '../till-of.ts'

describe('get and list', () => {
  test('by descending id, with filters and pages', async () => {
    const { till, clock, pay } = await tillOf()
    for (let i = 0; i < 5; i++) {
      clock.now = new Date(Date.UTC(2026, 10, 20, 10, i))
      const payment = await pay({ merchantReference: i % 2 ? 'odd' : 'even' })
      if (i < 3) await till.payments.complete(payment)
    }
    const ids = async (query: object) => {
      const { items, total } = await till.payments.list('shop', query)
      return [items.map(({ id }) => id), total]
    }
    expect(await ids({})).toEqual([[5, 4, 3, 2, 1], 5])
    expect(await ids({ perPage: 2, page: 2 })).toEqual([[3, 2], 5])
    expect(await ids({ perPage: 2, offset: 1 })).toEqual([[4, 3], 5])
    expect(await ids({ page: 9 })).toEqual([[], 5])
    expect(await ids({ filter: { status: ['completed'] } })).toEqual([[3, 2, 1], 3])
    expect(await ids({ filter: { status: 'completed' } })).toEqual([[3, 2, 1], 3])
    expect(await ids({ filter: { status: 'completed,pending' } })).toEqual([[5, 4, 3, 2, 1], 5])
    expect(await ids({ filter: { merchantReference: 'odd', status: ['pending'] } })).toEqual([[4], 1])
    const startDate = '2026-11-20T11:01:00.000+01:00'
    expect(await ids({ filter: { startDate, endDate: '2026-11-20T10:03:00Z' } })).toEqual([[3, 2], 2])
    expect(await till.payments.get('shop', 3)).toMatchObject({ id: 3 })
    expect(await till.payments.get('shop', 6)).toBeNull()
    expect(await till.payments.get('shop', 1.5)).toBeNull()
    expect(await till.payments.get('nobody', 1)).toBeNull()
  })

  test('what is wrong is named', async () => {
    const { till } = await tillOf()
    const list = (query: object) => refusal(till.payments.list('shop', query as never))
    expect(await list({ page: 0 })).toMatch(/page must be an integer from 1/)
    expect(await list({ perPage: 101 })).toMatch(/perPage must be an integer from 1 to 100/)
    expect(await list({ offset: -1 })).toMatch(/offset must be an integer from 0/)
    expect(await list({ filter: { startDate: '2026-11-20' } })).toMatch(
      /filter\.startDate must be an ISO 8601/,
    )
    expect(await list({ filter: { status: ['done'] } })).toMatch(/filter\.status\.0 must be/)
    expect(await list({ filter: { status: 'completed,' } })).toMatch(/filter\.status\.1 must be/)
    expect(await list({ filter: { status: 7 } })).toMatch(/filter\.status/)
    for (const value of ['a\0', '\uD83D']) {
      expect(await list({ filter: { merchantReference: value } })).toMatch(
        /filter\.merchantReference must be text without NUL/,
      )
    }
    expect(await list({ filter: { scancode: 'x' } })).toMatch(/filter\.scancode is not a known name/)
    expect(await refusal(till.payments.list('nobody'))).toBe('not_found: merchant nobody is unknown')
  })
})
