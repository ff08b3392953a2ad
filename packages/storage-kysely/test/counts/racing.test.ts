import type { Outcome, PaymentStatus } from '@tillkit/domain'
import type { Storage } from '@tillkit/storage'
import { CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { kyselyStorage } from '../../src/index.ts'
import { hostDatabaseAt, storageAt } from '../engines/address.ts'
import { overEveryServer, overPostgres } from '../engines/index.ts'
import { attempt, merchantId, NOW, openShop } from '../faults/shop.ts'
import { fillPayments } from '../payments/payments-in-bulk.ts'
import { countingStorage } from './counting-storage.ts'
import { expectTrueBlocks, passing, statusesOf } from './recount.ts'

const LANES = 4
const PAYMENTS = 30
const SETS: PaymentStatus[][] = [['completed'], ['error'], ['pending', 'error']]

/** How often an outcome was asked for, and how often that was answered. */
interface Tally {
  asked: number
  answered: number
}

overEveryServer(({ create }) => {
  test('a total by status is one that was so between question and answer, while payments, outcomes and counts race', async () => {
    const { address, drop } = await create()
    const owner = storageAt(address)
    await owner.migrate()
    await openShop(owner)
    await owner.close()
    const hosts = [hostDatabaseAt(address), hostDatabaseAt(address)] as const
    const [paying, counting] = [
      countingStorage(hosts[0], address.dialect, 4),
      countingStorage(hosts[1], address.dialect, 3),
    ]
    const tallies = { completed: { asked: 0, answered: 0 }, error: { asked: 0, answered: 0 } }
    const totalOf = async (storage: Storage, status: PaymentStatus[]) =>
      (await storage.payments.list(merchantId, { status }, { skip: 0, limit: 1 })).total

    async function resolve({ payments }: Storage, id: number): Promise<void> {
      const outcome: Outcome = id % 3 === 0 ? { status: 'error', failure: null } : { status: 'completed' }
      const tally: Tally = tallies[outcome.status]
      tally.asked += 1
      await payments.resolve({ merchantId, id }, outcome, NOW)
      tally.answered += 1
    }

    /** Starts payments, and leaves some of them for later, one for ever. */
    async function pay(lane: number): Promise<void> {
      const { storage } = lane % 2 === 0 ? paying : counting
      const left: number[] = []
      for (let n = 0; n < PAYMENTS; n++) {
        const { payment } = await storage.payments.start(attempt(), NOW)
        if (n % 5 === lane) left.push(payment.id)
        else await resolve(storage, payment.id)
        if (left.length > 3) await resolve(storage, left.shift() as number)
      }
      for (const id of left.slice(1)) await resolve(storage, id)
    }

    let over = false
    const looking = async ({ storage, count }: typeof paying) => {
      do {
        for (const status of ['completed', 'error'] as const) {
          const { answered } = tallies[status]
          const total = await totalOf(storage, [status])
          expect(total).toBeGreaterThanOrEqual(answered)
          expect(total).toBeLessThanOrEqual(tallies[status].asked)
        }
        await count(merchantId)
      } while (!over)
    }
    const paid = Promise.all(Array.from({ length: LANES }, (_, lane) => pay(lane))).finally(() => {
      over = true
    })
    try {
      await Promise.all([paid, ...[paying, counting, paying].map(looking)])
      expect((await expectTrueBlocks(hosts[0], merchantId)).length).toBeGreaterThan(20)
      const statuses = await statusesOf(hosts[0], merchantId)
      for (const status of SETS) {
        for (const { storage } of [paying, counting]) {
          expect(await totalOf(storage, status)).toBe(passing(statuses, status, 1, statuses.length))
        }
      }
    } finally {
      await Promise.all(hosts.map(host => host.destroy()))
      await drop()
    }
  })
})

overPostgres(({ create }) => {
  test('where nothing can be written totals are right, and it is not tried again and again', async () => {
    const { address, drop } = await create()
    if (address.dialect !== 'postgres') throw new Error('this is PostgreSQL')
    const owner = storageAt(address)
    await owner.migrate()
    await owner.close()
    const writable = hostDatabaseAt(address)
    await fillPayments(writable, address.dialect, merchantId, 3000)
    await writable.destroy()

    const failed: string[] = []
    const options = `-c search_path="${address.schema}" -c default_transaction_read_only=on`
    const pool = new pg.Pool({ connectionString: address.connectionString, options })
    const db = new Kysely({
      dialect: new PostgresDialect({ pool }),
      log: ({ level, query }) => {
        if (level === 'error') failed.push(query.sql)
      },
    })
    try {
      const { payments } = kyselyStorage(db, 'postgres')
      await payments.get({ merchantId, id: 1 }) // which finds where the tables are
      const total = async () =>
        (await payments.list(merchantId, { status: ['completed'] }, { skip: 0, limit: 1 })).total
      expect(await total()).toBe(2861)
      await vi.waitFor(() => expect(failed.length).toBe(1), { timeout: 60_000 })
      expect(failed[0]).toMatch(/^insert into (?:"[^"]+"\.)?"tillkit_payment_blocks"/)
      for (let n = 0; n < 5; n++) expect(await total()).toBe(2861)
      // Whatever was begun has been sent by the time that a later statement is answered on every connection.
      await Promise.all(Array.from({ length: 10 }, () => db.executeQuery(CompiledQuery.raw('select 1'))))
      expect(failed.length).toBe(1)
    } finally {
      await db.destroy()
      await drop()
    }
  })
})
