import { describe, expect, test } from 'vitest'
import { refusal, tillOf } from '../till-of.ts'

describe('outcomes', () => {
  test('the first one wins; the same again is fine, the other one a conflict', async () => {
    const { till, pay } = await tillOf()
    const paid = await pay()
    expect((await till.payments.complete(paid)).status).toBe('completed')
    expect((await till.payments.complete({ merchantId: 'shop', id: 1 })).status).toBe('completed')
    expect(await refusal(till.payments.fail(paid))).toBe('conflict: payment 1 is already completed')

    const failed = await pay()
    expect(await till.payments.fail(failed, { failure: 'card_declined' })).toMatchObject({
      failure: 'card_declined',
    })
    expect(await till.payments.fail(failed, { failure: 'late' })).toMatchObject({ failure: 'card_declined' })
    expect(await refusal(till.payments.complete(failed))).toBe('conflict: payment 2 is already error')
  })

  test('an unknown payment is not found, a wrong key is named', async () => {
    const { till } = await tillOf()
    expect(await refusal(till.payments.complete({ merchantId: 'shop', id: 9 }))).toMatch(
      /^not_found: .*no payment 9/,
    )
    expect(await refusal(till.payments.fail({ merchantId: 'nobody', id: 1 }))).toMatch(/^not_found: /)
    expect(await refusal(till.payments.complete({ merchantId: 'shop', id: 1.5 }))).toMatch(
      /^invalid_input: id must be/,
    )
    expect(await refusal(till.payments.complete(undefined as never))).toMatch(
      /^invalid_input: a payment must be/,
    )
  })

  test('failStale fails what has been pending for longer, and only that', async () => {
    const { till, clock, pay } = await tillOf()
    await pay()
    const done = await pay()
    await till.payments.complete(done)
    clock.now = new Date('2026-11-20T09:40:00Z')
    await pay()
    expect(await till.payments.failStale({ olderThanSeconds: 3600 })).toBe(0)
    expect(await till.payments.failStale({ olderThanSeconds: 300 })).toBe(1)
    expect(await till.payments.get('shop', 1)).toMatchObject({ status: 'error', failure: 'stale' })
    expect(await till.payments.get('shop', 2)).toMatchObject({ status: 'completed' })
    expect(await till.payments.get('shop', 3)).toMatchObject({ status: 'pending' })
    expect(await refusal(till.payments.failStale({ olderThanSeconds: -1 }))).toMatch(
      /olderThanSeconds must be/,
    )
    expect(await refusal(till.payments.failStale({} as never))).toMatch(/olderThanSeconds must be/)
  })

  test('failStale goes on past one batch', async () => {
    const { till, pay } = await tillOf()
    for (let i = 0; i < 250; i++) await pay()
    expect(await till.payments.failStale({ olderThanSeconds: 0 })).toBe(250)
  })
})
