import { describe, expect, test } from 'vitest'
import { refusal, tillOf } from './till-of.ts'

const webhookUrl = 'https://shop.example/hook'

describe('the host sees deliveries and sends them again', () => {
  test('one for each outcome, a refusal by strict mode too, newest payment first; none while pending', async () => {
    const { till, pay } = await tillOf()
    await till.merchants.update('shop', { webhookUrl })
    const first = await pay({ merchantReference: 'a', strict: true })
    await pay({ merchantReference: 'a', strict: true })
    await pay()
    await till.payments.complete(first)
    await till.payments.complete(first)
    const { items, total } = await till.webhooks.list('shop')
    expect(total).toBe(2)
    expect(items).toMatchObject([
      { merchantId: 'shop', paymentId: 2, state: 'pending', attempts: 0, lastStatus: null, lastError: null },
      { merchantId: 'shop', paymentId: 1, state: 'pending', nextAttemptAt: '2026-11-20T09:30:00.250Z' },
    ])
    expect((await till.webhooks.list('shop', { state: 'delivered' })).total).toBe(0)
    expect((await till.webhooks.list('shop', { state: 'pending', perPage: 1, page: 2 })).items).toMatchObject(
      [{ paymentId: 1 }],
    )
  })

  test('a merchant without a webhook URL has none, until the host sends one', async () => {
    const { till, pay } = await tillOf()
    const payment = await till.payments.complete(await pay())
    const key = { merchantId: 'shop', paymentId: payment.id }
    expect((await till.webhooks.list('shop')).total).toBe(0)
    expect(await refusal(till.webhooks.redeliver(key))).toBe('conflict: merchant shop has no webhookUrl')
    await till.merchants.update('shop', { webhookUrl })
    expect(await till.webhooks.redeliver(key)).toMatchObject({ paymentId: 1, state: 'pending', attempts: 0 })
    expect((await till.webhooks.list('shop')).total).toBe(1)
  })

  test('what cannot be sent is refused', async () => {
    const { till, pay } = await tillOf()
    await till.merchants.update('shop', { webhookUrl })
    await pay()
    const redeliver = (paymentId: number) =>
      refusal(till.webhooks.redeliver({ merchantId: 'shop', paymentId }))
    expect(await redeliver(1)).toMatch(/^conflict: payment 1 is pending/)
    expect(await redeliver(2)).toMatch(/^not_found: /)
    expect(await redeliver(0)).toMatch(/^invalid_input: paymentId must be/)
    expect(await refusal(till.webhooks.list('shop', { state: 'lost' as never }))).toMatch(
      /state must be one of/,
    )
    expect(await refusal(till.webhooks.list('nobody'))).toBe('not_found: merchant nobody is unknown')
  })
})
