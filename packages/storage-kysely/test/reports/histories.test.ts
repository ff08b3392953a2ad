import type { PaymentStatus, WireDate } from '@tillkit/domain'
import type { Storage } from '@tillkit/storage'
import { memoryStorage } from '@tillkit/storage/memory'
import fc from 'fast-check'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type KeepingStorage, keepingStorage } from '../counts/keeping-storage.ts'
import { type HostTables, hostDatabaseAt, storageAt } from '../engines/address.ts'
import type { TestDatabase } from '../engines/engine.ts'
import { overEveryEngine } from '../engines/index.ts'
import { attempt } from '../faults/shop.ts'

const runs = Number(process.env.TILLKIT_RUNS ?? 20)

/** Long ago, so that what is pending is old, and is listed. */
const FIRST = Date.parse('2020-11-20T10:00:00Z')
const instantAt = (seconds: number) => new Date(FIRST + seconds * 1000).toISOString()
const dateAt = (seconds: number): WireDate => `${instantAt(seconds).slice(0, 19)}Z`
const OUTCOMES: Exclude<PaymentStatus, 'pending'>[] = ['completed', 'completed', 'error']

/** One thing that happens; `store` does it, or what of it is not done to both. A payment is named by how far it is from the last one. */
const step = fc.record({
  store: fc.nat({ max: 2 }),
  seconds: fc.constantFrom(0, 0, 60, 600, 5000, 86_400, -3000),
  what: fc.oneof(
    { weight: 5, arbitrary: fc.record({ starts: fc.integer({ min: 1, max: 4 }) }) },
    {
      weight: 7,
      arbitrary: fc.record({ back: fc.nat({ max: 14 }), status: fc.constantFrom(...OUTCOMES) }),
    },
    { weight: 5, arbitrary: fc.record({ keeps: fc.nat({ max: 12 }) }) },
    { weight: 1, arbitrary: fc.constant({ cashUp: true as const }) },
    { weight: 1, arbitrary: fc.record({ repairs: fc.integer({ min: 1, max: 20 }) }) },
    { weight: 3, arbitrary: fc.constant({ looks: true as const }) },
  ),
})

overEveryEngine(({ create }) => {
  let database: TestDatabase
  let db: Kysely<HostTables>
  let stores: KeepingStorage[]
  let run = 0

  beforeAll(async () => {
    database = await create()
    const owner = storageAt(database.address)
    await owner.migrate()
    await owner.close()
    db = hostDatabaseAt(database.address)
    stores = [2, 3, 1024].map(size => keepingStorage(db, database.address.dialect, size))
  })

  afterAll(async () => {
    await db.destroy()
    await database.drop()
  })

  test('reports are what memory says at any time in any history, whatever blocks are kept', async () => {
    const right = memoryStorage()
    const features = { tips: false, userReferences: false, deviceLists: false }

    const property = fc.asyncProperty(
      fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }),
      async steps => {
        const merchantId = `history-${run++}`
        const first = (stores[0] as KeepingStorage).storage
        const shop = { id: merchantId, name: 'Shop', webhookUrl: null, features, createdAt: instantAt(0) }
        for (const storage of [right, first]) await storage.merchants.create(shop)
        const references: (string | null)[] = [null]
        let [clock, last] = [0, 0]

        async function check(): Promise<void> {
          const bounds = [-1, 0, 1, 2, 4, 40].map(n => dateAt((Math.floor(clock / 900) - 20 + n) * 900))
          const ask = async ({ reports }: Storage) => ({
            periods: await Promise.all(references.map(one => reports.period(merchantId, one))),
            taken: await reports.takings(merchantId, bounds),
            ever: await reports.takings(merchantId, [dateAt(0), dateAt(86_400), dateAt(100 * 86_400)]),
            all: await reports.takings(null, [dateAt(-900), ...bounds.slice(2)]),
          })
          const expected = await ask(right)
          for (const { storage } of stores) expect(await ask(storage)).toEqual(expected)
        }

        for (const { store, seconds, what } of steps) {
          clock = Math.max(0, clock + seconds)
          const now = instantAt(clock)
          const { storage, keep } = stores[store] as KeepingStorage
          const both = async (call: (one: Storage) => Promise<unknown>) => {
            await call(right)
            await call(storage)
          }
          if ('starts' in what) {
            for (let n = 0; n < what.starts; n++) {
              last += 1
              const payment = attempt({
                merchantId,
                totalAmount: 10 ** (last % 16),
                tipAmount: last % 3 ? last : null,
                scanCode: `till-${last % 3}`,
                scanCodeReference: last % 2 ? `Desk ${last}` : null,
                isVoucher: last % 4 === 0,
                isVoucherRedemption: last % 5 === 0,
                deviceSerialNumber: last % 3 ? `device-${last % 2}` : null,
              })
              await both(one => one.payments.start(payment, now))
            }
          } else if ('back' in what) {
            const { status } = what
            const outcome = status === 'error' ? { status, failure: null } : { status }
            await both(one => one.payments.resolve({ merchantId, id: last - what.back }, outcome, now))
          } else if ('keeps' in what) await keep(merchantId, what.keeps)
          else if ('cashUp' in what) {
            const reference = `${run}c${references.length}`.padStart(32, '0')
            await both(one => one.cashUps.create(merchantId, { reference, idempotencyKey: null, now }))
            references.push(reference)
          } else if ('repairs' in what) {
            for (let done = false; !done; ) {
              await right.payments.repairDates(merchantId, now, what.repairs)
              done = (await storage.payments.repairDates(merchantId, now, what.repairs)).done
            }
          } else await check()
        }
        await check()
        for (const { keepAll } of stores) {
          await keepAll(merchantId)
          await check()
        }
      },
    )
    await fc.assert(property, { numRuns: runs })
  }, 600_000)
})
