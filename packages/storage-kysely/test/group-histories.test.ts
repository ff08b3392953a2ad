import type { Outcome, Payment } from '@tillkit/domain'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DatabaseStorage } from '../src/index.ts'
import { storageAt } from './engines/address.ts'
import type { TestDatabase } from './engines/engine.ts'
import { overEveryEngine } from './engines/index.ts'
import { ALL, attempt, NOW } from './faults/shop.ts'

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
    const history = fc.record({
      starts: fc.array(fc.tuple(kinds, fc.boolean(), fc.boolean()), { minLength: 5, maxLength: 60 }),
      outcomes: fc.array(fc.tuple(fc.nat(80), fc.boolean(), fc.boolean()), { maxLength: 60 }),
      suspended: fc.boolean(),
    })
    let round = 0
    await fc.assert(
      fc.asyncProperty(history, async ({ starts, outcomes, suspended }) => {
        round += 1
        const [shop, code] = [`shop-${round}`, `till-2-${round}`]
        const features = { tips: false, userReferences: false, deviceLists: false }
        const webhookUrl = 'https://shop.example/hook'
        await storage.merchants.create({ id: shop, name: shop, webhookUrl, features, createdAt: NOW })
        await storage.scanCodes.add({ code, merchantId: shop, reference: null, createdAt: NOW })
        if (suspended) await storage.scanCodes.suspend(code, NOW)

        const answers = await Promise.allSettled(
          starts.map(([{ known, ...fields }, here, late]) =>
            (here ? storage : other).payments.start(
              attempt({ merchantId: shop, scanCode: known ? code : 'unknown', ...fields }),
              late ? LATER : NOW,
            ),
          ),
        )
        const { items, total } = await storage.payments.list(shop, {}, ALL)
        const kept = items.toReversed()
        expect(kept.map(({ id }) => id)).toEqual(upTo(total))
        expect(kept.map(({ date }) => date)).toEqual(kept.map(({ date }) => date).toSorted())
        const created = answers.flatMap(one =>
          one.status === 'fulfilled' && one.value.created ? [one.value] : [],
        )
        expect(created.map(({ payment }) => payment.id).toSorted((a, b) => a - b)).toEqual(upTo(total))
        for (const [n, answer] of answers.entries()) {
          const [{ extra, known }] = starts[n] as (typeof starts)[number]
          if (answer.status === 'fulfilled') {
            const { payment, created } = answer.value
            expect(kept[payment.id - 1]).toEqual(payment)
            if (created) expect(payment.extra).toEqual(extra)
          } else {
            // What the engine takes for no text, and what may not be paid to.
            const refused = 'nothing' in extra || 'half' in extra || (suspended && known)
            expect(refused).toBe(true)
          }
        }
        for (const key of ['a', 'b', 'c']) {
          const first = await storage.payments.findAttempt(shop, key)
          const told = answers.flatMap((one, n) =>
            one.status === 'fulfilled' && starts[n]?.[0].attemptKey === key ? [one.value] : [],
          )
          for (const { payment } of told) expect(payment.id).toBe(first?.id)
          expect(told.filter(({ created }) => created)).toHaveLength(told.length > 0 ? 1 : 0)
        }

        const pending = new Set(kept.filter(({ status }) => status === 'pending').map(({ id }) => id))
        const ended = await Promise.all(
          outcomes.map(([id, here, completes]) =>
            (here ? storage : other).payments.resolve(
              { merchantId: shop, id },
              completes ? completed : { status: 'error', failure: 'declined' },
              NOW,
            ),
          ),
        )
        const changed = new Map<number, Payment>()
        for (const [n, one] of ended.entries()) {
          const [id, , completes] = outcomes[n] as (typeof outcomes)[number]
          expect(one === null).toBe(id < 1 || id > total)
          if (!one?.changed) continue
          expect(pending.has(id) && !changed.has(id)).toBe(true)
          expect(one.payment.status).toBe(completes ? 'completed' : 'error')
          changed.set(id, one.payment)
        }
        for (const one of ended) {
          if (one && pending.has(one.payment.id)) expect(one.payment).toEqual(changed.get(one.payment.id))
        }
        const refused = kept.filter(({ status }) => status === 'error').length
        const { total: deliveries } = await storage.deliveries.list(shop, undefined, ALL)
        expect(deliveries).toBe(refused + changed.size)
      }),
      { numRuns: 25 },
    )
  }, 600_000)
})
