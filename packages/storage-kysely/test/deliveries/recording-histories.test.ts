import type { Delivery } from '@tillkit/domain'
import type { ClaimedDelivery, DeliveryResult, Storage } from '@tillkit/storage'
import { memoryStorage } from '@tillkit/storage/memory'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DatabaseStorage } from '../../src/index.ts'
import { storageAt } from '../engines/address.ts'
import type { TestDatabase } from '../engines/engine.ts'
import { overEveryEngine } from '../engines/index.ts'
import { ALL, attempt, NOW, openShop } from '../faults/shop.ts'

const PAYMENTS = 5

/** One more than attempts are kept, and one that stands in its delivery. */
const MOST_ROUNDS = 24

const after = (minutes: number) => new Date(Date.parse(NOW) + minutes * 60_000).toISOString()
const keyOf = ({ merchantId, paymentId }: { merchantId: string; paymentId: number }) =>
  `${merchantId} ${paymentId}`

/** What becomes of a delivery in a round: its lease is told, a stale one is, or nothing. */
const told = fc.constantFrom('told', 'told', 'told', 'twice', 'stale', 'not at all')

const round = fc.record({
  /** Whether each shop's endpoint answers: what one round says of it is of one kind, so that the order says nothing. */
  answers: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
  asked: fc.boolean(),
  what: fc.array(told, { minLength: 3 * PAYMENTS, maxLength: 3 * PAYMENTS }),
  ends: fc.boolean(),
})

/** Results that come at the same moment, of two processes as far as the database can tell: as if each were by itself. */
overEveryEngine(({ create }) => {
  let database: TestDatabase
  let storage: DatabaseStorage
  let other: DatabaseStorage

  beforeEach(async () => {
    database = await create()
    storage = storageAt(database.address)
    other = storageAt(database.address)
    await storage.migrate()
  })

  afterEach(async () => {
    await other.close()
    await storage.close()
    await database.drop()
  })

  async function open(over: Storage, shops: string[]) {
    for (const merchantId of shops) {
      await openShop(over, merchantId)
      for (let n = 0; n < PAYMENTS; n++) {
        const { payment } = await over.payments.start(attempt({ merchantId }), NOW)
        await over.payments.resolve(payment, { status: 'completed' }, NOW)
      }
    }
  }

  async function stateOf(over: Storage, shops: string[]) {
    const states: unknown[] = []
    for (const shop of shops) {
      const { items } = await over.deliveries.list(shop, undefined, ALL)
      const byId = items.toSorted((a: Delivery, b: Delivery) => a.paymentId - b.paymentId)
      const attempts = await over.deliveries.attempts(
        shop,
        byId.map(({ paymentId }) => paymentId),
      )
      states.push(byId, attempts, await over.endpoints.get(shop))
    }
    return states
  }

  let run = 0
  test('any results: deliveries, their attempts and endpoints are what a store in memory has', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: MOST_ROUNDS }), async rounds => {
        run += 1
        const shops = [1, 2, 3].map(n => `shop-${run}-${n}`)
        const model = memoryStorage()
        await Promise.all([open(storage, shops), open(model, shops)])

        for (const [n, { answers, asked, what, ends }] of rounds.entries()) {
          const [now, leaseUntil, next] = [after(10 * n), after(10 * n + 9), after(10 * n + 10)]
          const claim = async (over: Storage) => {
            // What the runs before left is due as well.
            const claimed = await over.deliveries.claim({ now, leaseUntil, limit: 10_000 })
            const ours = claimed.filter(({ merchantId }) => shops.includes(merchantId))
            return new Map(ours.map(one => [keyOf(one), one]))
          }
          const [held, modelled] = [await claim(storage), await claim(model)]
          expect([...held.keys()].toSorted()).toEqual([...modelled.keys()].toSorted())

          const resultOf = (
            { merchantId, paymentId, fence }: ClaimedDelivery,
            ago: number,
          ): DeliveryResult => {
            const succeeds = answers[shops.indexOf(merchantId)] === true
            const [state, nextAttemptAt] = succeeds
              ? (['delivered', null] as const)
              : ends
                ? (['exhausted', null] as const)
                : (['pending', next] as const)
            const said = succeeds
              ? { status: 200, error: null, answer: `‘ok’ 𝄞 "\\ ${paymentId}` }
              : { status: 500, error: `no ‘𝄞’ ${paymentId}`, answer: null }
            const attempt = { at: now, milliseconds: 5 + n, ...said }
            return { merchantId, paymentId, fence: fence - ago, state, nextAttemptAt, attempt, asked }
          }
          const plan = shops.flatMap((shop, s) =>
            Array.from({ length: PAYMENTS }, (_, p) => ({
              key: keyOf({ merchantId: shop, paymentId: p + 1 }),
              what: what[s * PAYMENTS + p],
            })),
          )
          const resultsFor = (leases: Map<string, ClaimedDelivery>) =>
            plan.flatMap(({ key, what }) => {
              const lease = leases.get(key)
              if (!lease || what === 'not at all') return []
              if (what === 'stale') return [resultOf(lease, 1)]
              return what === 'twice' ? [resultOf(lease, 0), resultOf(lease, 0)] : [resultOf(lease, 0)]
            })
          const written = await Promise.all(
            resultsFor(held).map((result, n) => (n % 3 ? storage : other).deliveries.record(result)),
          )
          let accepted = 0
          for (const result of resultsFor(modelled)) if (await model.deliveries.record(result)) accepted += 1
          expect(written.filter(Boolean)).toHaveLength(accepted)
          expect(await stateOf(storage, shops)).toEqual(await stateOf(model, shops))
        }
      }),
      { numRuns: 15, examples: [[failing(MOST_ROUNDS)]] },
    )
  }, 600_000)
})

/** So many rounds in which all fails but the last, where all succeeds. */
function failing(rounds: number) {
  return Array.from({ length: rounds }, (_, n) => {
    const succeeds = n === rounds - 1
    const answers: [boolean, boolean, boolean] = [succeeds, succeeds, succeeds]
    return { answers, asked: true, what: Array.from({ length: 3 * PAYMENTS }, () => 'told'), ends: false }
  })
}
