import { createSandbox } from '@tillkit/sandbox'
import { createTill } from '@tillkit/till'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shopOf, told } from './scene.ts'
import { everywhere } from './storages.ts'

const SHOPS = ['coffee', 'books', 'a.b-c:d_E', 'x'.repeat(64)]

/** Who does what, by which of two processes; each amount says whose payment it is. */
const act = fc.record({
  process: fc.nat(1),
  shop: fc.nat(SHOPS.length - 1),
  kind: fc.constantFrom('live', 'live', 'test', 'test', 'live cash up', 'test cash up', 'clock', 'reset'),
})

everywhere(({ live: openLive, test: openTest, lasts }) => {
  test('whatever is asked in whatever order, no ledger has what is another’s', async () => {
    let nth = 0
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 10, maxLength: 40 }), async acts => {
        nth += 1
        const name = lasts ? `apart_${process.pid}` : `apart_${nth}`
        const shops = SHOPS.map(id => (lasts ? `${nth}${id}`.slice(0, 64) : id))
        const processes = await openProcesses(name, lasts ? 2 : 1, nth)
        const [first] = processes
        if (!first) throw new Error('no process was opened')
        const keys = await Promise.all(
          shops.map(async (id, n) => {
            await first.live.merchants.create({ id, name: id })
            await first.live.scanCodes.create(id, { code: `${name}-${nth}-${n}` })
            const { apiKey: test } = await first.sandbox.apiKeys.issue(id)
            const { apiKey: live } = await first.live.apiKeys.issue(id)
            return { test, live }
          }),
        )
        const started = shops.map(() => ({ live: 0 }))

        await Promise.all(
          acts.map(async ({ process, shop, kind }) => {
            const { live, sandbox } = processes[process % processes.length] ?? first
            const id = shops[shop] ?? ''
            const key = keys[shop]
            const testShop = shopOf(sandbox.handler, key?.test ?? '')
            const liveShop = shopOf(sandbox.handler, key?.live ?? '')
            const counts = started[shop]
            if (kind === 'live' && counts) {
              counts.live += 1
              const code = `${name}-${nth}-${shop}`
              await live.payments.complete(
                await live.payments.start({ scanCode: code, totalAmount: 10 + shop }),
              )
            }
            if (kind === 'test') await testShop.post('/sandbox/payments', { totalAmount: 1000 + shop })
            if (kind === 'live cash up') await liveShop.post('/cash_ups')
            if (kind === 'test cash up') await testShop.post('/cash_ups')
            if (kind === 'clock') await testShop.post('/sandbox/clock', { advanceSeconds: 60 })
            if (kind === 'reset') await testShop.post('/sandbox/reset')
            for (const [who, amount] of [
              [testShop, 1000 + shop],
              [liveShop, 10 + shop],
            ] as const) {
              const seen = told(await who.get('/payments?perPage=100'))
              expect(seen.status).toBe(200)
              for (const payment of seen.json) expect([id, payment.totalAmount]).toEqual([id, amount])
            }
          }),
        )

        for (const [n, id] of shops.entries()) {
          expect((await first.live.payments.list(id)).total).toBe(started[n]?.live)
          const wanted = acts.filter(({ shop, kind }) => shop === n && kind === 'live cash up').length
          expect((await first.live.cashUps.list(id)).total).toBe(wanted)
          const tried = acts.filter(({ shop, kind }) => shop === n && kind === 'test')
          const { total } = await (await first.sandbox.till(id)).payments.list(first.sandbox.merchantId(id))
          if (acts.some(({ shop, kind }) => shop === n && kind === 'reset'))
            expect(total).toBeLessThanOrEqual(tried.length)
          else expect(total).toBe(tried.length)
        }
        expect(await first.live.webhooks.counts()).toMatchObject({ pending: 0 })
        for (const { live, sandbox } of processes) {
          await sandbox.close()
          await live.close()
        }
      }),
      { numRuns: lasts ? 3 : 12 },
    )
  })

  const opened = new Map<string, ReturnType<typeof openEach>>()
  const openEach = async (name: string) => ({ live: await openLive(name), test: await openTest(name) })

  /** Processes on one live and one test storage, with a connection of their own each. */
  async function openProcesses(name: string, count: number, nth: number) {
    return Promise.all(
      Array.from({ length: count }, async (_, n) => {
        const key = lasts ? `${name} ${n}` : `${name} ${nth}`
        const storages = opened.get(key) ?? openEach(name)
        opened.set(key, storages)
        const { live: storage, test } = await storages
        const live = createTill({ storage, logger: false })
        return { live, sandbox: createSandbox(live, { storage: test, api: { rateLimits: false } }) }
      }),
    )
  }
})
