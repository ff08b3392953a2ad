import type { Outcome, Payment } from '@tillkit/domain'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DatabaseStorage } from '../../src/index.ts'
import { storageAt } from '../engines/address.ts'
import type { TestDatabase } from '../engines/engine.ts'
import { overEveryEngine } from '../engines/index.ts'
import { ALL, attempt, NOW } from '../faults/shop.ts'

const EXTRAS: Record<string, string>[] = [{}, { table: '7' }, { half: '\ud800' }, { nothing: '\0' }]

const LATER = '2026-11-20T09:31:00.000Z'
const completed: Outcome = { status: 'completed' }
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1)

/** Writes that wait together, of two processes as far as the database can tell: each is as if it were by itself. */
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

  test('any mix, from two processes: ids without gaps, a key once, each its own answer', async () => {
    const kinds = fc.record({
      strict: fc.boolean(),
      attemptKey: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: null, freq: 1 }),
      known: fc.boolean(),
      merchantReference: fc.constantFrom('order-1', 'order-2'),
      extra: fc.constantFrom(...EXTRAS),
    })
    // More merchants than a pool has connections, or one.
    const whose = fc.nat(29)
    const history = fc.record({
      merchants: fc.constantFrom(1, 1, 3, 30),
      starts: fc.array(fc.tuple(kinds, fc.boolean(), fc.boolean(), whose), { minLength: 5, maxLength: 90 }),
      outcomes: fc.array(fc.tuple(fc.nat(80), fc.boolean(), fc.boolean(), whose), { maxLength: 90 }),
      suspended: fc.boolean(),
    })
    let round = 0
    await fc.assert(
      fc.asyncProperty(history, async ({ merchants, starts, outcomes, suspended }) => {
        round += 1
        const shops = upTo(merchants).map(n => `shop-${round}-${n}`)
        const shopOf = (n: number) => shops[n % merchants] as string
        const codeOf = (shop: string) => `till-2-${shop}`
        const features = { tips: false, userReferences: false, deviceLists: false }
        const webhookUrl = 'https://shop.example/hook'
        for (const shop of shops) {
          await storage.merchants.create({ id: shop, name: shop, webhookUrl, features, createdAt: NOW })
          const code = { code: codeOf(shop), merchantId: shop, reference: null, createdAt: NOW }
          await storage.scanCodes.add(code)
          if (suspended) await storage.scanCodes.suspend(code.code, NOW)
        }

        const answers = await Promise.allSettled(
          starts.map(([{ known, ...fields }, here, late, n]) =>
            (here ? storage : other).payments.start(
              attempt({ merchantId: shopOf(n), scanCode: known ? codeOf(shopOf(n)) : 'unknown', ...fields }),
              late ? LATER : NOW,
            ),
          ),
        )
        const started = answers.map((answer, n) => ({ answer, given: starts[n] as (typeof starts)[number] }))
        for (const { answer, given } of started) {
          const [{ extra, known }] = given
          if (answer.status === 'fulfilled') {
            if (answer.value.created) expect(answer.value.payment.extra).toEqual(extra)
          } else {
            // What the engine takes for no text, and what may not be paid to.
            const refused = 'nothing' in extra || 'half' in extra || (suspended && known)
            expect(refused).toBe(true)
          }
        }
        const keptOf = new Map<string, Payment[]>()
        for (const shop of shops) {
          const { items, total } = await storage.payments.list(shop, {}, ALL)
          const kept = items.toReversed()
          keptOf.set(shop, kept)
          expect(kept.map(({ id }) => id)).toEqual(upTo(total))
          expect(kept.map(({ date }) => date)).toEqual(kept.map(({ date }) => date).toSorted())
          const told = started.flatMap(({ answer, given }) =>
            answer.status === 'fulfilled' && shopOf(given[3]) === shop
              ? [{ ...answer.value, attemptKey: given[0].attemptKey }]
              : [],
          )
          const created = told.filter(one => one.created)
          expect(created.map(({ payment }) => payment.id).toSorted((a, b) => a - b)).toEqual(upTo(total))
          for (const { payment } of told) expect(kept[payment.id - 1]).toEqual(payment)
          for (const key of ['a', 'b', 'c']) {
            const first = await storage.payments.findAttempt(shop, key)
            const ofKey = told.filter(({ attemptKey }) => attemptKey === key)
            for (const { payment } of ofKey) expect(payment.id).toBe(first?.id)
            expect(ofKey.filter(({ created }) => created)).toHaveLength(ofKey.length > 0 ? 1 : 0)
          }
        }

        const ended = await Promise.all(
          outcomes.map(([id, here, completes, n]) =>
            (here ? storage : other).payments.resolve(
              { merchantId: shopOf(n), id },
              completes ? completed : { status: 'error', failure: 'declined' },
              NOW,
            ),
          ),
        )
        for (const shop of shops) {
          const kept = keptOf.get(shop) ?? []
          const pending = new Set(kept.filter(({ status }) => status === 'pending').map(({ id }) => id))
          const changed = new Map<number, Payment>()
          const mine = ended.flatMap((one, n) => {
            const [id, , completes, whose] = outcomes[n] as (typeof outcomes)[number]
            return shopOf(whose) === shop ? [{ one, id, completes }] : []
          })
          for (const { one, id, completes } of mine) {
            expect(one === null).toBe(id < 1 || id > kept.length)
            if (!one?.changed) continue
            expect(pending.has(id) && !changed.has(id)).toBe(true)
            expect(one.payment).toMatchObject({ merchantId: shop, status: completes ? 'completed' : 'error' })
            changed.set(id, one.payment)
          }
          for (const { one } of mine) {
            if (one && pending.has(one.payment.id)) expect(one.payment).toEqual(changed.get(one.payment.id))
          }
          const refused = kept.filter(({ status }) => status === 'error').length
          const { total: deliveries } = await storage.deliveries.list(shop, undefined, ALL)
          expect(deliveries).toBe(refused + changed.size)
          const read = await Promise.all(kept.map(one => storage.payments.get(one)))
          expect(read).toEqual(kept.map(one => changed.get(one.id) ?? one))
        }
      }),
      { numRuns: 30 },
    )
  }, 600_000)
})
