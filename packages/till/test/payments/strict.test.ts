import { describe, expect, test } from 'vitest'
import { tillOf } from '../till-of.ts'

describe('strict', () => {
  const order = { merchantReference: 'order-1', requiredAmount: 1000, strict: true }

  test('a reference with a pending or completed payment is taken; after a failure it is free again', async () => {
    const { till, pay } = await tillOf()
    const first = await pay(order)
    expect(first.status).toBe('pending')
    expect(await pay(order)).toMatchObject({ id: 2, status: 'error', failure: 'reference_taken' })
    await till.payments.fail(first)
    const third = await pay(order)
    expect(third.status).toBe('pending')
    await till.payments.complete(third)
    expect(await pay(order)).toMatchObject({ status: 'error', failure: 'reference_taken' })
  })

  test('less than the required amount is refused, tip apart', async () => {
    const { pay } = await tillOf()
    expect(await pay({ ...order, totalAmount: 999 })).toMatchObject({
      status: 'error',
      failure: 'amount_too_low',
    })
    expect(await pay({ ...order, totalAmount: 1050, tipAmount: 51 })).toMatchObject({
      failure: 'amount_too_low',
    })
    expect((await pay({ ...order, totalAmount: 1050, tipAmount: 50 })).status).toBe('pending')
  })

  test('payments that are not strict are never checked, but count for those that are', async () => {
    const { till, pay } = await tillOf()
    await till.payments.complete(await pay({ ...order, strict: false, totalAmount: 1 }))
    expect((await pay({ ...order, strict: false })).status).toBe('pending')
    expect(await pay(order)).toMatchObject({ failure: 'reference_taken' })
  })

  test('without a reference or an amount it checks what is there', async () => {
    const { pay } = await tillOf()
    expect((await pay({ strict: true })).status).toBe('pending')
    expect((await pay({ strict: true })).status).toBe('pending')
    expect(await pay({ strict: true, requiredAmount: 5000 })).toMatchObject({ failure: 'amount_too_low' })
    expect((await pay({ strict: true, merchantReference: 'a' })).status).toBe('pending')
    expect(await pay({ strict: true, merchantReference: 'a' })).toMatchObject({ failure: 'reference_taken' })
  })
})
