import type { Payment } from '@tillkit/domain'
import type { Storage } from '@tillkit/storage'
import { memoryStorage } from '@tillkit/storage/memory'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { refusal, tillOf } from '../till-of.ts'

async function allOf(payments: AsyncIterable<Payment>): Promise<Payment[]> {
  const found: Payment[] = []
  for await (const payment of payments) found.push(payment)
  return found
}

const idsOf = (payments: Payment[]) => payments.map(({ id }) => id)
const oneTo = (last: number) => Array.from({ length: last }, (_, n) => n + 1)

/** A till with so many payments, every third of which completed and every seventh failed. */
async function shop(count: number, storage: Storage = memoryStorage()) {
  const scene = await tillOf({ storage })
  for (let n = 1; n <= count; n++) {
    const payment = await scene.pay({ merchantReference: `order-${n % 5}` })
    if (n % 3 === 0) await scene.till.payments.complete(payment)
    else if (n % 7 === 0) await scene.till.payments.fail(payment)
  }
  return scene
}

describe('export', () => {
  test('has all payments by ascending id, as they are', async () => {
    const { till } = await shop(30)
    const { items } = await till.payments.list('shop', { perPage: 100 })
    expect(await allOf(till.payments.export('shop'))).toEqual(items.toReversed())
  })

  test('has those that pass the filter, and goes on after an id', async () => {
    const { till, clock, pay } = await shop(1300)
    clock.now = new Date('2026-11-21T09:30:00Z')
    for (let n = 0; n < 5; n++) await pay()
    const ids = async (options: Parameters<typeof till.payments.export>[1]) =>
      idsOf(await allOf(till.payments.export('shop', options)))
    const completed = oneTo(1300).filter(id => id % 3 === 0)
    expect(await ids({ filter: { status: 'completed' } })).toEqual(completed)
    expect(await ids({ filter: { status: ['completed'] }, afterId: 600 })).toEqual(
      completed.filter(id => id > 600),
    )
    expect(await ids({ filter: { startDate: '2026-11-21T00:00:00Z' } })).toEqual(
      oneTo(1305).filter(id => id > 1300),
    )
    expect(await ids({ filter: { endDate: '2026-11-21T02:00:00+02:00' }, afterId: 1299 })).toEqual([1300])
    expect(await ids({ filter: { merchantReference: 'order-6' } })).toEqual([])
    expect(await ids({ afterId: 1305 })).toEqual([])
    expect(await ids({ afterId: Number.MAX_SAFE_INTEGER })).toEqual([])
    expect(await ids({ afterId: 0 })).toEqual(oneTo(1305))
  })

  test('ends with the last payment that there was at its first step', async () => {
    const { till, pay } = await shop(700)
    const walk = till.payments.export('shop')
    await pay()
    const met: number[] = []
    for await (const { id } of walk) {
      met.push(id)
      await pay()
      await till.payments.complete({ merchantId: 'shop', id }).catch(() => {})
    }
    expect(met).toEqual(oneTo(701))
  })

  test('reads a page when it is asked for, holds one at a time, and is done when its reader is', async () => {
    const storage = memoryStorage()
    const { till } = await shop(1600, storage)
    const walks: number[] = []
    let reading = 0
    const { walk } = storage.payments
    storage.payments.walk = async (...given) => {
      reading += 1
      const page = await walk(...given)
      reading -= 1
      walks.push(page.length)
      return page
    }
    const payments = till.payments.export('shop')
    expect(walks).toEqual([])
    for (let n = 0; n < 500; n++) await payments.next()
    expect(walks).toEqual([500])
    await payments.next()
    expect(walks).toEqual([500, 500])
    expect(await payments.return?.()).toEqual({ done: true, value: undefined })
    expect(await payments.next()).toEqual({ done: true, value: undefined })
    expect(walks).toEqual([500, 500])
    expect(reading).toBe(0)
    for await (const { id } of till.payments.export('shop')) if (id === 3) break
    expect(walks).toEqual([500, 500, 500])
  })

  test('looks through ever more ids for what is rare, and through fewer where it is not', async () => {
    const storage = memoryStorage()
    const { till } = await tillOf({ storage })
    const ranges: { first: number; last: number }[] = []
    const last = 350_000
    storage.payments.idRange = async () => ({ first: 1, last })
    storage.payments.walk = async (merchantId, _, range, limit) => {
      ranges.push(range)
      const dense = range.first > 300_000
      const ids = dense ? oneTo(limit).map(n => range.first + n - 1) : []
      return ids.map(id => ({ merchantId, id }) as Payment).filter(({ id }) => id <= range.last)
    }
    let met = 0
    for await (const { id } of till.payments.export('shop')) {
      met += 1
      if (met > 10_000) break
      if (id <= 300_000) throw new Error(`${id} is none of them`)
    }
    const widths = ranges.map(({ first, last }) => last - first + 1)
    expect(widths.slice(0, 4)).toEqual([500, 1000, 2000, 4000])
    expect(Math.max(...widths)).toBe(65_536)
    expect(widths.at(-1)).toBe(500)
    expect(ranges.slice(1, 10).map(({ first }) => first)).toEqual(
      ranges.slice(0, 9).map(({ last }) => last + 1),
    )
  })

  test('whatever has failed can be gone on from, with nothing lost and nothing twice', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 6 }), async failures => {
        const storage = memoryStorage()
        const { till } = await shop(40, storage)
        const { walk } = storage.payments
        const left = [...failures]
        storage.payments.walk = async (merchantId, filter, { first }, limit) => {
          const last = first + 6
          if (left[0] !== undefined && first <= left[0] && left[0] <= last) {
            left.shift()
            throw new Error('the database is away')
          }
          return walk(merchantId, filter, { first, last: Math.min(last, 40) }, limit)
        }
        // Pages of this storage end early, so that each is walked through by itself.
        const met: number[] = []
        for (let again = 0; again < 60 && met.at(-1) !== 40; again++) {
          try {
            for await (const { id } of till.payments.export('shop', { afterId: met.at(-1) ?? 0 })) {
              met.push(id)
              if (id % 7 === 0) break
            }
          } catch (error) {
            expect(String(error)).toBe('Error: the database is away')
          }
        }
        expect(met).toEqual(oneTo(40))
      }),
      { numRuns: 20 },
    )
  })

  test('an unknown merchant and what is wrong are told of at the first step', async () => {
    const { till } = await tillOf()
    const step = (...given: unknown[]) =>
      refusal(till.payments.export(...(given as ['shop', object])).next() as Promise<unknown>)
    expect(await step('nobody')).toBe('not_found: merchant nobody is unknown')
    const cases: [unknown[], RegExp][] = [
      [[7], /merchantId must be/],
      [['shop', { afterId: -1 }], /afterId must be an integer from 0/],
      [['shop', { afterId: '7' }], /afterId must be an integer from 0/],
      [['shop', { afterId: 1.5 }], /afterId must be an integer from 0/],
      [['shop', { filter: { state: 'x' } }], /filter.state is not a known name/],
      [['shop', { filter: { startDate: 'today' } }], /filter.startDate must be an ISO 8601/],
      [['shop', { after: 1 }], /after is not a known name/],
    ]
    for (const [given, message] of cases) expect(await step(...given)).toMatch(message)
  })

  test.each([0, 501])('a storage that answers %i within the first 500 ends it with an error', async id => {
    const storage = memoryStorage()
    const { till } = await shop(600, storage)
    const { walk } = storage.payments
    storage.payments.walk = async (...given) =>
      (await walk(...given)).map(payment => (payment.id === 500 ? { ...payment, id } : payment))
    await expect(allOf(till.payments.export('shop'))).rejects.toThrow(
      'the storage walks out of the run of ids',
    )
  })
})
