import { createClient } from '@tillkit/client'
import { expect, test } from 'vitest'
import { openShop } from './shop.ts'
import { serveTill } from './sockets.ts'

test('all of what there was is given once, over sockets, while payments start, end and are settled without a pause', async () => {
  const { till, apiKey, pay } = await openShop()
  const shop = createClient({ baseUrl: `http://127.0.0.1:${await serveTill(till)}/v1`, apiKey })
  const there = 1500
  for (let i = 0; i < there; i++) await pay({}, i % 3 === 0 ? undefined : 'completed')

  let isOver = false
  let started = 0
  async function write(): Promise<void> {
    while (!isOver) {
      const { id } = await pay({}, started % 2 === 0 ? 'completed' : 'error')
      started += 1
      if (started % 20 === 0) {
        await till.payments
          .settle('coffee', { statementReference: 'S', paymentIds: [id - (id % 2)] })
          .catch(() => {})
      }
      const old = { merchantId: 'coffee', id: 1 + 3 * (started % 500) }
      await till.payments.complete(old)
      // The writers and the server share a thread: each gets its turn.
      await new Promise(resolve => setImmediate(resolve))
    }
  }
  const writers = [write(), write(), write()]
  const expected = (query: object) => till.payments.list('coffee', { filter: query, perPage: 1 })
  try {
    for (const filter of [{}, { status: ['completed' as const] }, { scanCode: 'counter' }]) {
      const before = started
      const { total } = await expected(filter)
      const given = new Set<number>()
      let last = Number.POSITIVE_INFINITY
      for await (const { id } of shop.payments.all(filter)) {
        expect(id).toBeLessThan(last)
        last = id
        given.add(id)
      }
      expect(started).toBeGreaterThan(before)
      expect(given.size).toBeGreaterThanOrEqual(total)
      if (!('status' in filter)) expect(given.size).toBe(Math.max(...given))
    }
  } finally {
    isOver = true
    await Promise.all(writers)
  }
})
