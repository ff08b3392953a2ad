import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '@tillkit/client'
import { describe, expect, test, vi } from 'vitest'
import { gather, openShop } from './shop.ts'

const ids = (payments: { id: number }[]) => payments.map(({ id }) => id)

describe('payments', () => {
  test('get: one payment, or not_found', async () => {
    const { shop, pay } = await openShop()
    await pay({ merchantReference: 'order 7', extra: { table: '7' } }, 'completed')
    expect(await shop.payments.get(1)).toMatchObject({
      id: 1,
      status: 'completed',
      totalAmount: 1250,
      merchantReference: 'order 7',
      isVoucher: false,
      extra: { table: '7' },
    })
    const error = await shop.payments.get(2).catch(error => error)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 404, code: 'not_found', requestId: expect.any(String) })
  })

  test('what one payment calls something does not change what a name of another is read as', async () => {
    const { shop, pay } = await openShop()
    const names = ['wheel\\', 'wheel"', 'wheel\n', 'wheel\u0001', '#0', 'wheel']
    for (const name of names) await pay({ extra: { size: 'L', [name]: name } }, 'completed')
    const { items } = await shop.payments.list()
    expect(items.map(({ extra }) => Object.keys(extra)[1])).toEqual(names.toReversed())
    expect((await shop.payments.get(2)).extra).toEqual({ size: 'L', 'wheel"': 'wheel"' })
  })

  test('list: a page, with all that its headers say', async () => {
    const { shop, pay } = await openShop()
    for (let i = 0; i < 8; i++) await pay({ merchantReference: `a&b=${i % 2}+ é` }, 'completed')
    expect(await shop.payments.list({ offset: 1, page: 2, perPage: 3 })).toMatchObject({
      ...{ total: 8, totalPages: 3, page: 2, perPage: 3, nextPage: 3, prevPage: 1, offset: 1 },
      items: [{ id: 4 }, { id: 3 }, { id: 2 }],
    })
    expect(await shop.payments.list()).toMatchObject({ perPage: 50, nextPage: null, prevPage: null })
    const one = await shop.payments.list({ merchantReference: 'a&b=1+ é', status: ['completed', 'error'] })
    expect(ids(one.items)).toEqual([8, 6, 4, 2])
    const tomorrow = new Date(Date.now() + 86_400_000)
    expect((await shop.payments.list({ startDate: tomorrow })).items).toEqual([])
    expect((await shop.payments.list({ endDate: tomorrow, status: 'error,pending' })).total).toBe(0)
  })

  test('lists of an account with devices have their own form', async () => {
    const { shop, pay } = await openShop({ features: { deviceLists: true } })
    await pay({ deviceSerialNumber: 'D7' })
    const [payment] = await gather(shop.payments.all())
    expect(payment).toMatchObject({ deviceSerialNumber: 'D7', transactionType: 'payment' })
    expect(payment && 'isVoucher' in payment).toBe(false)
  })
})

describe('waitFor', () => {
  const order = { merchantReference: 'order-7' }

  test('gives the completed payment, however many were refused before it', async () => {
    const { shop, pay } = await openShop()
    await pay(order, 'completed')
    for (let i = 0; i < 101; i++) await pay(order, 'error')
    await pay({ merchantReference: 'another' }, 'completed')
    expect((await shop.payments.waitFor(order))?.id).toBe(1)
  })

  test('gives the newest that was refused, where none is under way', async () => {
    const { shop, pay } = await openShop()
    await pay(order, 'error')
    await pay(order, 'error')
    expect(await shop.payments.waitFor(order)).toMatchObject({ id: 2, status: 'error' })
  })

  test('waits for what is under way, and for what is not there yet', async () => {
    let asked = 0
    const { shop, till, pay } = await openShop({
      between: async (request, serve) => {
        const answer = await serve(request)
        asked += 1
        if (asked === 1) await pay(order, 'error').then(() => pay(order))
        if (asked === 2) await till.payments.complete({ merchantId: 'coffee', id: 2 })
        return answer
      },
    })
    expect(await shop.payments.waitFor(order)).toMatchObject({ id: 2, status: 'completed' })
    expect(asked).toBe(3)
  })

  test('looks once where there is no time to wait', async () => {
    const { shop, pay, requests } = await openShop({
      between: (request, serve) => sleep(20).then(() => serve(request)),
    })
    const waiting = () => shop.payments.waitFor(order, { timeoutSeconds: 0 })
    expect(await waiting()).toBeNull()
    await pay(order, 'completed')
    expect(await waiting()).toMatchObject({ id: 1, status: 'completed' })
    expect(requests).toHaveLength(2)
  })

  test('is null when the time is over, and what was wrong when it was', async () => {
    vi.useFakeTimers()
    try {
      const { shop, pay } = await openShop()
      await pay(order)
      const waiting = shop.payments.waitFor(order, { timeoutSeconds: 120 })
      await vi.runAllTimersAsync()
      expect(await waiting).toBeNull()
      const away = await openShop({ between: () => Promise.reject(new Error('away')) })
      const failing = away.shop.payments.waitFor(order, { timeoutSeconds: 120 }).catch(error => error)
      await vi.runAllTimersAsync()
      expect(await failing).toMatchObject({ code: 'network' })
      const closed = openShop({ client: { apiKey: 'tk_wrong' } })
      await expect((await closed).shop.payments.waitFor(order)).rejects.toMatchObject({
        code: 'unauthorised',
      })
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('cash ups', () => {
  test('create, list, and the payments of a period', async () => {
    const { shop, pay } = await openShop()
    for (let i = 0; i < 250; i++) await pay({}, i % 5 === 0 ? 'error' : 'completed')
    const cashUp = await shop.cashUps.create()
    await pay({}, 'completed')
    expect(cashUp).toEqual({ date: expect.any(String), reference: expect.stringMatching(/^[0-9a-f]{32}$/) })
    expect(await shop.cashUps.list()).toMatchObject({ items: [cashUp], total: 1, nextPage: null })
    const completed = Array.from({ length: 250 }, (_, i) => 250 - i).filter(id => (id - 1) % 5 !== 0)
    expect(ids(await gather(shop.cashUps.payments(cashUp.reference)))).toEqual(completed)
    await expect(gather(shop.cashUps.payments('ab'))).rejects.toMatchObject({ code: 'not_found' })
  })

  test('payments waits for the last outcome as long as it is told to', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const { shop, till, pay, requests } = await openShop()
      await pay({}, 'completed')
      const pending = await pay()
      const { reference } = await shop.cashUps.create()
      const impatient = shop.cashUps.payments(reference).next()
      await expect(impatient).rejects.toMatchObject({ code: 'not_ready', status: 500, retryAfter: 2 })
      const late = gather(shop.cashUps.payments(reference, { waitSeconds: 5 })).catch(error => error)
      const inTime = gather(shop.cashUps.payments(reference, { waitSeconds: 60 }))
      await vi.advanceTimersByTimeAsync(20_000)
      expect(await late).toMatchObject({ code: 'not_ready' })
      const asked = requests.length
      await till.payments.complete(pending)
      await vi.runAllTimersAsync()
      expect(ids(await inTime)).toEqual([2, 1])
      expect(requests.length).toBe(asked + 1)
    } finally {
      vi.useRealTimers()
    }
  })

  test('all gives each that there was once, while more come', async () => {
    let rush = 0
    const { shop, till } = await openShop({
      between: async (request, serve) => {
        const answer = await serve(request)
        for (let i = 0; i < rush; i++) await till.cashUps.create('coffee')
        return answer
      },
    })
    const made: string[] = []
    for (let i = 0; i < 350; i++) made.unshift((await till.cashUps.create('coffee')).reference)
    for (rush of [0, 1, 7, 40]) {
      const { items, total } = await till.cashUps.list('coffee', { perPage: 100 })
      const given = (await gather(shop.cashUps.all())).map(({ reference }) => reference)
      expect(given).toHaveLength(total)
      expect(new Set(given).size).toBe(total)
      expect(given.slice(0, 100)).toEqual(items.map(({ reference }) => reference))
      expect(given.slice(-350)).toEqual(made)
    }
  })
})
