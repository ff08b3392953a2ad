import { describe, expect, test } from 'vitest'
import { refusal, tillOf } from './till-of.ts'

describe('cash ups', () => {
  test('end a period: each payment is in exactly one, fixed when it starts', async () => {
    const { till, pay } = await tillOf()
    const early = await pay()
    const first = await till.cashUps.create('shop')
    expect(first).toEqual({
      date: '2026-11-20T09:30:00Z',
      reference: expect.stringMatching(/^[0-9a-f]{32}$/),
    })
    await till.payments.complete(early)
    await till.payments.complete(await pay())
    await till.payments.fail(await pay())
    const second = await till.cashUps.create('shop')
    const empty = await till.cashUps.create('shop')

    const ids = async (reference: string) => {
      const { items, total } = await till.cashUps.payments('shop', reference)
      return [items.map(({ id }) => id), total]
    }
    expect(await ids(first.reference)).toEqual([[1], 1])
    expect(await ids(second.reference)).toEqual([[2], 1])
    expect(await ids(empty.reference)).toEqual([[], 0])
    expect((await till.cashUps.list('shop')).items).toEqual([empty, second, first])
  })

  test('a period with a pending payment is not ready until it has an outcome', async () => {
    const { till, pay } = await tillOf()
    const payment = await pay()
    const { reference } = await till.cashUps.create('shop')
    expect(await refusal(till.cashUps.payments('shop', reference))).toMatch(
      /^not_ready: .*not ready.*try again/i,
    )
    await till.payments.complete(payment)
    expect((await till.cashUps.payments('shop', reference)).total).toBe(1)
  })

  test('the same idempotency key is the same cash up, for its merchant', async () => {
    const { till, pay } = await tillOf()
    await till.merchants.create({ id: 'other', name: 'Other' })
    const first = await till.cashUps.create('shop', { idempotencyKey: 'night-1' })
    await pay()
    expect(await till.cashUps.create('shop', { idempotencyKey: 'night-1' })).toEqual(first)
    expect(await till.cashUps.create('other', { idempotencyKey: 'night-1' })).not.toEqual(first)
    expect((await till.cashUps.list('shop')).total).toBe(1)
  })

  test('pages, and what is wrong is named', async () => {
    const { till } = await tillOf()
    const made: string[] = []
    for (let i = 0; i < 5; i++) made.unshift((await till.cashUps.create('shop')).reference)
    const page = await till.cashUps.list('shop', { page: 2, perPage: 2 })
    expect(page.items.map(({ reference }) => reference)).toEqual(made.slice(2, 4))
    expect(page.total).toBe(5)

    expect(await refusal(till.cashUps.payments('shop', 'f'.repeat(32)))).toMatch(
      /^not_found: cash up f+ is unknown/,
    )
    expect(await refusal(till.cashUps.create('shop', { idempotencyKey: 'x'.repeat(256) }))).toMatch(
      /idempotencyKey/,
    )
    expect(await refusal(till.cashUps.create('nobody'))).toBe('not_found: merchant nobody is unknown')
    expect(await refusal(till.cashUps.list('nobody'))).toBe('not_found: merchant nobody is unknown')
    expect(await refusal(till.cashUps.list('shop', { perPage: 0 }))).toMatch(/perPage must be/)
  })

  test("another merchant's cash up is not found", async () => {
    const { till } = await tillOf()
    await till.merchants.create({ id: 'other', name: 'Other' })
    const { reference } = await till.cashUps.create('other')
    expect(await refusal(till.cashUps.payments('shop', reference))).toMatch(/^not_found: /)
  })
})
