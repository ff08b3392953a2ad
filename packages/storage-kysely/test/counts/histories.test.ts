import type { PaymentStatus } from '@tillkit/domain'
import fc from 'fast-check'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HostTables, hostDatabaseAt, storageAt } from '../engines/address.ts'
import type { TestDatabase } from '../engines/engine.ts'
import { overEveryEngine } from '../engines/index.ts'
import { attempt, NOW, openShop } from '../faults/shop.ts'
import { type CountingStorage, countingStorage } from './counting-storage.ts'
import { expectTrueBlocks, passing } from './recount.ts'

const runs = Number(process.env.TILLKIT_RUNS ?? 30)
const SETS: PaymentStatus[][] = [['completed'], ['error'], ['completed', 'error'], ['pending', 'error']]
const FIRST = Date.parse('2026-11-20T10:00:00Z')
const dateOf = (id: number) => `${new Date(FIRST + id * 1000).toISOString().slice(0, 19)}Z`

/** One thing that happens; `store` does it. A payment is named by how far it is from the last one. */
const step = fc.record({
  store: fc.nat({ max: 2 }),
  what: fc.oneof(
    { weight: 4, arbitrary: fc.record({ starts: fc.integer({ min: 1, max: 3 }) }) },
    {
      weight: 6,
      arbitrary: fc.record({ back: fc.nat({ max: 14 }), status: fc.constantFrom('completed', 'error') }),
    },
    { weight: 4, arbitrary: fc.constant({ counts: true as const }) },
    { weight: 3, arbitrary: fc.record({ since: fc.nat({ max: 20 }), before: fc.nat({ max: 40 }) }) },
  ),
})

overEveryEngine(({ create }) => {
  let database: TestDatabase
  let db: Kysely<HostTables>
  let stores: CountingStorage[]
  let run = 0

  beforeAll(async () => {
    database = await create()
    const owner = storageAt(database.address)
    await owner.migrate()
    await openShop(owner)
    await owner.close()
    db = hostDatabaseAt(database.address)
    // The last one counts what the others left, and never enough for a block of its own.
    stores = [2, 3, 1024].map(size => countingStorage(db, database.address.dialect, size))
  })

  afterAll(async () => {
    await db.destroy()
    await database.drop()
  })

  test('totals by status are what a recount says at any time in any history, over all payments and between dates', async () => {
    const property = fc.asyncProperty(
      fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }),
      async steps => {
        const merchantId = `history-${run++}`
        const { merchants } = (stores[0] as CountingStorage).storage
        const features = { tips: false, userReferences: false, deviceLists: false }
        await merchants.create({ id: merchantId, name: 'Shop', webhookUrl: null, features, createdAt: NOW })
        const statuses: PaymentStatus[] = []

        async function check(since: number | null, before: number | null): Promise<void> {
          const first = Math.max(1, since ?? 1)
          const last = Math.min(statuses.length, (before ?? statuses.length + 1) - 1)
          const dates = {
            ...(since === null ? {} : { startDate: dateOf(since) }),
            ...(before === null ? {} : { endDate: dateOf(before) }),
          }
          for (const [n, { storage }] of stores.entries()) {
            const status = SETS[(n + statuses.length) % SETS.length] as PaymentStatus[]
            const { total } = await storage.payments.list(
              merchantId,
              { status, ...dates },
              { skip: 0, limit: 1 },
            )
            expect({ status, since, before, total }).toEqual({
              status,
              since,
              before,
              total: passing(statuses, status, first, Math.max(last, first - 1)),
            })
          }
        }

        for (const { store, what } of steps) {
          const { storage, count } = stores[store] as CountingStorage
          if ('starts' in what) {
            for (let n = 0; n < what.starts; n++) {
              await storage.payments.start(
                attempt({ merchantId }),
                dateOf(statuses.length + 1).replace('Z', '.000Z'),
              )
              statuses.push('pending')
            }
          } else if ('back' in what) {
            const id = statuses.length - what.back
            if (statuses[id - 1] !== 'pending') continue
            const status = what.status as 'completed' | 'error'
            const outcome = status === 'error' ? { status, failure: null } : { status }
            await storage.payments.resolve({ merchantId, id }, outcome, NOW)
            statuses[id - 1] = status
          } else if ('counts' in what) {
            await count(merchantId)
            await check(null, null)
          } else {
            await check(what.since, what.before)
            await check(what.since, null)
            await check(null, what.before)
          }
        }
        await check(null, null)
        await expectTrueBlocks(db, merchantId)
      },
    )
    await fc.assert(property, { numRuns: runs })
  }, 600_000)
})
