import { describe, expect, test } from 'vitest'
import { refusal, tillOf } from '../till-of.ts'
import { heldReceiver, receiver } from '../webhooks/receiver.ts'
import { tillScene } from '../webhooks/till-scene.ts'

const NOTHING = { payments: 0, cashUps: 0, deliveries: 0, endpoints: 0 }

describe('repairDates', () => {
  test('puts right what a wrong clock has dated, and again changes nothing', async () => {
    const { till, clock, pay } = await tillOf()
    await till.merchants.update('shop', { webhookUrl: 'https://shop.example/hook' })
    await pay()
    clock.now = new Date('2027-11-20T09:30:00Z')
    await till.payments.complete(await pay())
    await till.cashUps.create('shop')
    clock.now = new Date('2026-11-20T09:31:00.700Z')
    expect((await pay()).date).toBe('2027-11-20T09:30:00Z')

    expect(await till.repairDates('shop')).toEqual({ payments: 2, cashUps: 1, deliveries: 1, endpoints: 0 })
    const { items } = await till.payments.list('shop')
    expect(items.map(({ date }) => date)).toEqual([
      '2026-11-20T09:31:00Z',
      '2026-11-20T09:31:00Z',
      '2026-11-20T09:30:00Z',
    ])
    const filter = { startDate: '2026-11-20T09:31:00Z', endDate: '2026-11-20T09:32:00Z' }
    expect((await till.payments.list('shop', { filter })).total).toBe(2)
    expect((await till.cashUps.list('shop')).items.map(({ date }) => date)).toEqual(['2026-11-20T09:31:00Z'])
    expect((await till.webhooks.list('shop')).items).toMatchObject([
      { createdAt: '2026-11-20T09:31:00.700Z', nextAttemptAt: '2026-11-20T09:31:00.700Z' },
    ])
    clock.now = new Date('2026-11-20T09:32:00Z')
    expect((await pay()).date).toBe('2026-11-20T09:32:00Z')
    expect(await till.repairDates('shop')).toEqual(NOTHING)
  })

  test('takes as many steps as it needs', async () => {
    const { till, clock, pay } = await tillOf()
    await pay()
    clock.now = new Date('2027-01-01T00:00:00Z')
    for (let n = 0; n < 1234; n++) await pay()
    clock.now = new Date('2026-11-20T10:00:00Z')
    expect(await till.repairDates('shop')).toEqual({ ...NOTHING, payments: 1234 })
    const filter = { startDate: '2026-11-20T10:00:00Z', endDate: '2026-11-20T10:00:01Z' }
    expect((await till.payments.list('shop', { filter })).total).toBe(1234)
  })

  test('is for one merchant, who must be known', async () => {
    const { till, clock, pay } = await tillOf()
    await till.merchants.create({ id: 'other', name: 'Other' })
    clock.now = new Date('2027-01-01T00:00:00Z')
    await pay()
    clock.now = new Date('2026-11-20T10:00:00Z')
    expect(await till.repairDates('other')).toEqual(NOTHING)
    expect(await refusal(till.repairDates('nobody'))).toMatch(/^not_found: /)
    expect(await refusal(till.repairDates(''))).toMatch(/^invalid_input: /)
    expect((await till.payments.get('shop', 1))?.date).toBe('2027-01-01T00:00:00Z')
  })
})

test('every delivery is put right, in as many steps as it needs', async () => {
  const { till, clock, pay } = await tillOf()
  await till.merchants.update('shop', { webhookUrl: 'https://shop.example/hook' })
  clock.now = new Date('2027-01-01T00:00:00Z')
  for (let n = 0; n < 2100; n++) await till.payments.complete(await pay())
  clock.now = new Date('2026-11-20T10:00:00Z')
  expect(await till.repairDates('shop')).toMatchObject({ payments: 2100, deliveries: 2100 })
})

test('a delivery that is under way keeps its lease, however long an attempt may take', async () => {
  const hook = await heldReceiver()
  const { till, paid } = await tillScene(hook.url, { webhooks: { timeoutSeconds: 100 } })
  await paid()
  const counts = till.webhooks.deliverDue()
  await hook.got(1)
  expect(await till.repairDates('shop')).toEqual(NOTHING)
  hook.release()
  expect(await counts).toEqual({ delivered: 1, failed: 0 })
})

test('and one that is to be tried again keeps its time, however late the host has it tried', async () => {
  const hook = await receiver(500)
  const { till, paid, delivery } = await tillScene(hook.url, { webhooks: { retryDelays: [200_000] } })
  await paid()
  await till.webhooks.deliverDue()
  const tried = await delivery()
  expect(await till.repairDates('shop')).toEqual(NOTHING)
  expect(await delivery()).toEqual(tried)
})
