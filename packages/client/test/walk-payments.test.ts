import type { PaymentFilter } from '@tillkit/client'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { gather, openShop } from './shop.ts'

const ids = (payments: { id: number }[]) => payments.map(({ id }) => id)

/** What happens to the till between one page and the next. */
type Event =
  | { kind: 'start'; count: number; scanCode: string }
  | { kind: 'outcome'; of: number; status: 'completed' | 'error' }
  | { kind: 'settle'; of: number }
  | { kind: 'second'; step: number }

const scanCode = fc.constantFrom('counter', 'terrace')
const event = fc.oneof<fc.Arbitrary<Event>[]>(
  fc.record({ kind: fc.constant('start'), count: fc.integer({ min: 1, max: 9 }), scanCode }),
  fc.record({ kind: fc.constant('outcome'), of: fc.nat(), status: fc.constantFrom('completed', 'error') }),
  fc.record({ kind: fc.constant('settle'), of: fc.nat() }),
  fc.record({ kind: fc.constant('second'), step: fc.integer({ min: -3, max: 3 }) }),
)

const statuses = fc.subarray(['pending', 'completed', 'error'] as const, { minLength: 1 })
const filter = fc.record<PaymentFilter>(
  {
    status: statuses,
    scanCode,
    statementReference: fc.constant('S'),
    startDate: fc.integer({ min: 0, max: 20 }).map(at),
    endDate: fc.integer({ min: 0, max: 25 }).map(at),
  },
  { requiredKeys: [] },
)

function at(second: number): string {
  return new Date(Date.UTC(2026, 10, 20, 9, 30, 0) + second * 1000).toISOString()
}

/** A till whose world moves with each page that is asked for. */
async function movingShop(before: Event[], between: Event[][]) {
  let second = 0
  let page = 0
  const clock = () => new Date(at(second))
  const world = await openShop({
    clock,
    between: async (request, serve) => {
      const answer = await serve(request)
      for (const event of between[page++] ?? []) await happen(event)
      return answer
    },
  })
  const { till } = world
  const count = async () => (await till.payments.list('coffee', { perPage: 1 })).total
  async function happen(event: Event): Promise<void> {
    if (event.kind === 'second') second = Math.max(0, second + event.step)
    else if (event.kind === 'start') {
      for (let i = 0; i < event.count; i++) {
        await till.payments.start({ scanCode: event.scanCode, totalAmount: 100 })
      }
    } else {
      const total = await count()
      if (total === 0) return
      const id = (event.of % total) + 1
      const key = { merchantId: 'coffee', id }
      const payment = await till.payments.get('coffee', id)
      if (event.kind === 'settle') {
        if (payment?.status === 'completed') {
          await till.payments.settle('coffee', { statementReference: 'S', paymentIds: [id] })
        }
      } else if (payment?.status === 'pending') {
        await (event.status === 'completed' ? till.payments.complete(key) : till.payments.fail(key))
      }
    }
  }
  for (const event of before) await happen(event)
  /** Those that match now, by what the till itself says. */
  const matching = async (query: PaymentFilter) => {
    const found: number[] = []
    for (let page = 1; ; page++) {
      const { items } = await till.payments.list('coffee', { filter: query as object, page, perPage: 100 })
      if (items.length === 0) return found
      found.push(...ids(items))
    }
  }
  return { ...world, matching, top: count, pages: () => page }
}

describe('all', () => {
  test('gives each payment that matched at the first page and until it was reached once, and none that came later', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { maxLength: 30 }),
        fc.array(fc.array(event, { maxLength: 6 }), { maxLength: 60 }),
        filter,
        fc.integer({ min: 2, max: 7 }),
        async (before, between, query, perPage) => {
          const world = await movingShop(before, between)
          const [then, top] = [await world.matching(query), await world.top()]
          const given = ids(await gather(world.shop.payments.all({ ...query, perPage })))
          expect(given).toEqual([...new Set(given)].sort((a, b) => b - a))
          expect(given.filter(id => id > top)).toEqual([])
          const now = new Set(await world.matching(query))
          // A pending one may have got its outcome before it was reached; nothing else ceases to match.
          const losers = query.status?.includes('pending') && query.status.length < 3
          const isOnePage = then.length <= perPage
          const due = losers && !isOnePage ? then.filter(id => now.has(id)) : then
          expect(given).toEqual(expect.arrayContaining(due))
          if (!losers) expect(then.every(id => now.has(id))).toBe(true)
          expect(given.every(id => then.includes(id) || now.has(id))).toBe(true)
          // Nobody becomes pending: of what a filter loses, and does not gain, none is given that did not match.
          if (losers && query.statementReference === undefined)
            expect(then).toEqual(expect.arrayContaining(given))
        },
      ),
      { numRuns: 300 },
    )
  })

  test('which of more than a page were pending cannot be told from any answers that come after the first', async () => {
    const tell = async (completedBefore: number) => {
      const shop = await openShop({ clock: () => new Date(at(0)) })
      for (let i = 0; i < 150; i++) await shop.pay()
      await shop.till.payments.complete({ merchantId: 'coffee', id: completedBefore })
      const { items, ...page } = await shop.shop.payments.list({ status: ['pending'], perPage: 100 })
      for (let id = 1; id <= 150; id++) {
        if (id !== completedBefore) await shop.till.payments.complete({ merchantId: 'coffee', id })
      }
      return { items, page, later: await gather(shop.shop.payments.all()) }
    }
    const [one, other] = [await tell(7), await tell(8)]
    expect(one.page.total).toBe(149)
    expect(other).toEqual(one)
  })

  test('with pending payments asked for, all statuses give each that was there, whatever became of it', async () => {
    const rush = (of: number): Event[] => [{ kind: 'outcome', of, status: 'completed' }]
    const world = await movingShop(
      [{ kind: 'start', count: 30, scanCode: 'counter' }],
      Array.from({ length: 30 }, (_, i) => rush(i)),
    )
    expect(ids(await gather(world.shop.payments.all({ perPage: 4 })))).toEqual(
      Array.from({ length: 30 }, (_, i) => 30 - i),
    )
  })

  test('where no filter is and nothing is over, it asks for one page in a hundred payments', async () => {
    const { shop, pay, requests } = await openShop()
    for (let i = 0; i < 450; i++) await pay()
    expect(await gather(shop.payments.all())).toHaveLength(450)
    expect(requests).toHaveLength(5)
  })

  test('more new payments than a page holds come between any two pages', async () => {
    const rush: Event[] = [{ kind: 'start', count: 25, scanCode: 'counter' }]
    const world = await movingShop(
      [{ kind: 'start', count: 40, scanCode: 'counter' }],
      Array.from({ length: 60 }, () => rush),
    )
    const walk = world.shop.payments.all({ perPage: 30 })
    expect(ids(await gather(walk))).toEqual(Array.from({ length: 40 }, (_, i) => 40 - i))
  })
})
