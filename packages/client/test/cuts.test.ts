import { createClient } from '@tillkit/client'
import { describe, expect, test } from 'vitest'
import { openShop } from './shop.ts'
import { type Cut, cuttingProxy, serveTill } from './sockets.ts'

const CUTS: Cut[] = ['before the request', 'in the request', 'before the answer', 'in the answer']

/** A client whose connections are cut in this order, and then no more. */
async function cutShop(cuts: Cut[], retries?: number) {
  const { till, apiKey, pay } = await openShop()
  const port = await cuttingProxy(await serveTill(till), connection => cuts[connection] ?? 'none')
  // A connection for each attempt, so that each cut is one attempt's.
  const fetchAlone: Parameters<typeof createClient>[0]['fetch'] = (url, init) =>
    fetch(url, { ...init, headers: { ...init.headers, connection: 'close' } })
  const shop = createClient({ baseUrl: `http://127.0.0.1:${port}/v1`, apiKey, retries, fetch: fetchAlone })
  return { till, shop, pay, cashUps: async () => (await till.cashUps.list('coffee')).items }
}

describe('a cash up is made once', () => {
  test.each(CUTS.flatMap(first => CUTS.map(second => [first, second])))(
    'where connections are cut %s and %s',
    async (first, second) => {
      const { shop, cashUps } = await cutShop([first, second])
      const cashUp = await shop.cashUps.create()
      expect(await cashUps()).toMatchObject([cashUp])
      expect(await shop.cashUps.create()).not.toEqual(cashUp)
      expect(await cashUps()).toHaveLength(2)
    },
  )

  test('and with the key of its error, where all connections were cut', async () => {
    const { shop, cashUps } = await cutShop(['before the answer', 'in the answer'], 1)
    const error = await shop.cashUps.create().catch(error => error)
    expect(error).toMatchObject({ code: 'network', idempotencyKey: expect.stringMatching(/^[\w-]{30,}$/) })
    const { idempotencyKey } = error
    const cashUp = await shop.cashUps.create({ idempotencyKey })
    expect(await cashUps()).toMatchObject([cashUp])
  })
})

test('what is read through cuts is whole', async () => {
  const { shop, pay } = await cutShop(CUTS)
  for (let i = 0; i < 10; i++) await pay({ merchantReference: 'é'.repeat(200) })
  expect((await shop.payments.list()).items.map(({ id }) => id)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
})
