import { describe, expect, test } from 'vitest'
import { refusal, tillOf } from '../till-of.ts'

describe('settle', () => {
  test('marks all or none, and only completed payments', async () => {
    const { till, pay } = await tillOf()
    for (let i = 0; i < 3; i++) await till.payments.complete(await pay())
    await till.payments.fail(await pay())
    await till.payments.settle('shop', { statementReference: 'S-1', paymentIds: [1, 2, 2] })
    await till.payments.settle('shop', { statementReference: 'S-1', paymentIds: [1] })
    expect(
      await refusal(till.payments.settle('shop', { statementReference: 'S-2', paymentIds: [3, 2] })),
    ).toBe('conflict: payment 2 is already settled as S-1')
    expect(
      await refusal(till.payments.settle('shop', { statementReference: 'S-2', paymentIds: [3, 4] })),
    ).toMatch(/^conflict: payment 4 is error/)
    expect(
      await refusal(till.payments.settle('shop', { statementReference: 'S-2', paymentIds: [3, 9] })),
    ).toBe('not_found: merchant shop has no payment 9')
    expect((await till.payments.list('shop', { filter: { statementReference: 'S-1' } })).total).toBe(2)
    expect(await till.payments.get('shop', 3)).toMatchObject({ statementReference: null })
  })

  test('what is wrong is named', async () => {
    const { till } = await tillOf()
    const settle = (input: object) => refusal(till.payments.settle('shop', input as never))
    expect(await settle({ statementReference: '', paymentIds: [1] })).toMatch(
      /statementReference must be text of 1/,
    )
    expect(await settle({ statementReference: 'S', paymentIds: ['1'] })).toMatch(/paymentIds\.0 must be/)
    expect(await settle({ statementReference: 'S', paymentIds: 1 })).toMatch(/paymentIds must be an array/)
    expect(await refusal(till.payments.settle('nobody', { statementReference: 'S', paymentIds: [] }))).toBe(
      'not_found: merchant nobody is unknown',
    )
  })
})
