import { memoryStorage } from '@tillkit/storage/memory'
import { expect, test } from 'vitest'
import { refusal, tillOf } from '../till-of.ts'

const NOTHING = { count: 0, totalAmount: 0, tipAmount: 0 }
const DAY = { from: '2026-11-20', to: '2026-11-21', by: 'day', timeZone: 'UTC' } as const

test('the open period is told without an end, a closed one for good once nothing is pending', async () => {
  const { till, clock, pay, code } = await tillOf()
  await till.payments.complete(await pay({ tipAmount: 50, deviceSerialNumber: 'd-1' }))
  await till.payments.complete(await pay({ isVoucher: true }))
  await till.payments.complete(await pay({ isVoucherRedemption: true, deviceSerialNumber: 'd-1' }))
  await till.payments.fail(await pay())
  clock.now = new Date('2026-11-20T09:45:00Z')
  const pending = await pay({ tipAmount: 10 })
  const open = await till.reports.period('shop')
  expect(open).toEqual({
    reference: null,
    final: false,
    firstPaymentId: 1,
    lastPaymentId: 5,
    from: '2026-11-20T09:30:00Z',
    to: '2026-11-20T09:45:00Z',
    byStatus: {
      completed: { count: 3, totalAmount: 3750, tipAmount: 50 },
      pending: { count: 1, totalAmount: 1250, tipAmount: 10 },
      error: { count: 1, totalAmount: 1250, tipAmount: 0 },
    },
    vouchers: {
      issued: { count: 1, totalAmount: 1250, tipAmount: 0 },
      redeemed: { count: 1, totalAmount: 1250, tipAmount: 0 },
    },
    byScanCode: [
      { scanCode: code, scanCodeReference: 'Counter', count: 3, totalAmount: 3750, tipAmount: 50 },
    ],
    byDevice: [
      { deviceSerialNumber: null, count: 1, totalAmount: 1250, tipAmount: 0 },
      { deviceSerialNumber: 'd-1', count: 2, totalAmount: 2500, tipAmount: 50 },
    ],
  })
  const { reference } = await till.cashUps.create('shop')
  expect(await till.reports.period('shop', { reference })).toEqual({ ...open, reference })
  await till.payments.complete(pending)
  await pay()
  const closed = await till.reports.period('shop', { reference })
  expect(closed).toMatchObject({ reference, final: true, lastPaymentId: 5 })
  expect(closed.byStatus).toEqual({
    completed: { count: 4, totalAmount: 5000, tipAmount: 60 },
    pending: NOTHING,
    error: { count: 1, totalAmount: 1250, tipAmount: 0 },
  })
  expect(await till.reports.period('shop')).toMatchObject({ firstPaymentId: 6, lastPaymentId: 6 })
})

test('an empty period has nothing in it, and no first or last payment', async () => {
  const { till } = await tillOf()
  const empty = {
    firstPaymentId: null,
    lastPaymentId: null,
    from: null,
    to: null,
    byStatus: { completed: NOTHING, pending: NOTHING, error: NOTHING },
    vouchers: { issued: NOTHING, redeemed: NOTHING },
    byScanCode: [],
    byDevice: [],
  }
  expect(await till.reports.period('shop')).toEqual({ reference: null, final: false, ...empty })
  const { reference } = await till.cashUps.create('shop')
  expect(await till.reports.period('shop', { reference })).toEqual({ reference, final: true, ...empty })
})

test('takings are of completed payments, by when they were started, of one merchant or of all', async () => {
  const { till, clock, pay } = await tillOf()
  await till.merchants.create({ id: 'bakery', name: 'Bakery' })
  const other = await till.scanCodes.create('bakery')
  await till.payments.complete(await pay({ tipAmount: 100 }))
  await till.payments.complete(await pay({ scanCode: other.code, totalAmount: 300 }))
  const late = await pay()
  await pay()
  clock.now = new Date('2026-11-20T23:59:59Z')
  await till.payments.complete(late)
  await till.payments.complete(await pay())
  clock.now = new Date('2026-11-21T00:00:00Z')
  await till.payments.complete(await pay({ totalAmount: 7 }))
  const two = { ...DAY, to: '2026-11-23' }
  const shops = [
    { from: '2026-11-20T00:00:00Z', count: 3, totalAmount: 3750, tipAmount: 100 },
    { from: '2026-11-21T00:00:00Z', count: 1, totalAmount: 7, tipAmount: 0 },
    { from: '2026-11-22T00:00:00Z', ...NOTHING },
  ]
  expect(await till.reports.takings('shop', two)).toEqual(shops)
  expect(await till.reports.takings(null, two)).toEqual([
    { from: '2026-11-20T00:00:00Z', count: 4, totalAmount: 4050, tipAmount: 100 },
    ...shops.slice(1),
  ])
  const byHour = await till.reports.takings('shop', { ...DAY, by: 'hour', timeZone: 'Asia/Kolkata' })
  expect(byHour.length).toBe(24)
  expect(byHour.filter(({ count }) => count > 0)).toEqual([
    { from: '2026-11-20T09:30:00Z', count: 2, totalAmount: 2500, tipAmount: 100 },
  ])
})

test('a sum that no number holds is refused, never wrong', async () => {
  const { till, pay } = await tillOf()
  const most = Number.MAX_SAFE_INTEGER
  await till.payments.complete(await pay({ totalAmount: most - 1 }))
  await till.payments.complete(await pay({ totalAmount: 1 }))
  expect((await till.reports.period('shop')).byStatus.completed.totalAmount).toBe(most)
  expect((await till.reports.takings('shop', DAY))[0]?.totalAmount).toBe(most)
  await till.payments.complete(await pay({ totalAmount: 1 }))
  const message = 'a sum of 9007199254740992 is more than 2^53 - 1'
  await expect(till.reports.period('shop')).rejects.toThrow(message)
  await expect(till.reports.takings(null, DAY)).rejects.toThrow(message)
})

test('what is unknown is not found', async () => {
  const { till, storage } = await tillOf({ storage: memoryStorage() })
  await till.merchants.create({ id: 'bakery', name: 'Bakery' })
  const { reference } = await till.cashUps.create('bakery')
  expect(await refusal(till.reports.period('nobody'))).toBe('not_found: merchant nobody is unknown')
  expect(await refusal(till.reports.period('shop', { reference }))).toBe(
    `not_found: cash up ${reference} is unknown`,
  )
  for (const wrong of ['', 'x'.repeat(3_000_000), 'a\0b']) {
    expect(await refusal(till.reports.period('shop', { reference: wrong }))).toMatch(/^not_found: cash up/)
  }
  expect(await refusal(till.reports.period('shop', { reference: 7 as never }))).toMatch(
    /^invalid_input: reference must be a string/,
  )
  expect(await storage.reports.period('nobody', null)).toBe(null)
})
