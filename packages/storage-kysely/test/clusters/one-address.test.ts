import { setImmediate } from 'node:timers/promises'
import type { Outcome } from '@tillkit/domain'
import mysql from 'mysql2'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DatabaseStorage } from '../../src/index.ts'
import { mysqlStorage } from '../../src/mysql/index.ts'
import type { MysqlPool } from '../../src/mysql/pools/mysql-pool.ts'
import { PATIENT } from '../engines/address.ts'
import type { TestDatabase } from '../engines/engine.ts'
import { inAShop } from '../engines/in-a-shop.ts'
import { overMysql } from '../engines/index.ts'
import { ALL, attempt, merchantId, NOW } from '../faults/shop.ts'

const reference = '0123456789abcdef0123456789abcdef'

/** How many connections a call is given by turns at most. */
const TURNS = 5

const COMPLETED = { status: 'completed' } as const
const FAILED = { status: 'error', failure: 'declined' } as const

type Step = (storage: DatabaseStorage) => Promise<unknown>

/** What is written in the shop, in this order: of three payments the last comes to something once its period has ended. */
const stepsTo = (first: Outcome, last: Outcome): Step[] => [
  ({ payments }) => payments.start(attempt(), NOW),
  ({ payments }) => payments.start(attempt(), NOW),
  ({ payments }) => payments.resolve({ merchantId, id: 1 }, first, NOW),
  ({ payments }) => payments.resolve({ merchantId, id: 2 }, last, NOW),
  ({ payments }) => payments.start(attempt(), NOW),
  ({ cashUps }) => cashUps.create(merchantId, { reference, idempotencyKey: null, now: NOW }),
  ({ payments }) => payments.resolve({ merchantId, id: 3 }, last, NOW),
]

const uriOf = ({ address }: TestDatabase) => (address as { uri: string }).uri
const nameOf = (database: TestDatabase) => new URL(uriOf(database)).pathname.slice(1)

/** A pool of a database that goes by the names of others too: at the nodes of a cluster it has one name. */
function inItsOwn(database: TestDatabase, names: string[]): mysql.Pool {
  const pool = mysql.createPool(uriOf(database))
  const name = new RegExp(names.join('|'), 'g')
  pool.on('connection', connection => {
    const send = (how: 'query' | 'execute') => {
      const sent = connection[how].bind(connection) as (...args: unknown[]) => unknown
      connection[how] = ((statement: { sql: string }, ...args: unknown[]) => {
        statement.sql = statement.sql.replace(name, nameOf(database))
        return sent(statement, ...args)
      }) as never
    }
    send('query')
    send('execute')
  })
  return pool
}

/**
 * Nodes of a cluster behind one address that chooses one for each connection, where one has not heard yet of what the other has
 * committed: two databases of one server, one of which is some steps behind.
 */
overMysql(({ create }) => {
  const ahead = inAShop(create)
  const behind = inAShop(create)
  let pools: mysql.Pool[] = []

  beforeEach(() => {
    const databases = [ahead, behind].map(({ database }) => nameOf(database))
    pools = [ahead, behind].map(({ database }) => inItsOwn(database, databases))
    for (const pool of pools) pool.on('release', connection => used.delete(connection))
  })
  afterEach(async () => {
    for (const pool of pools) await new Promise(resolve => pool.end(resolve))
  })

  /** Whose the next connections are, bit by bit: the one's that is behind where it is set. */
  let turns = 0
  /** How many of them are asked for, and those that are used. */
  let asked = 0
  const used = new Set<unknown>()
  const balanced: MysqlPool = {
    getConnection(callback) {
      const pool = pools[turns & 1]
      turns >>= 1
      asked += 1
      ;(pool as unknown as MysqlPool).getConnection((error, connection) => {
        asked -= 1
        if (connection) used.add(connection)
        callback(error, connection)
      })
    },
    end: callback => callback(null),
  }

  /** What a call comes to, in whatever turns its connections are chosen. */
  async function inAllTurns<Result>(call: (storage: DatabaseStorage) => Promise<Result>) {
    const results: Result[] = []
    const storage = mysqlStorage({ pool: balanced, ...PATIENT })
    for (let all = 0; all < 2 ** TURNS; all++) {
      for (const pool of pools) {
        const sql = 'update tillkit_cash_ups set completed_total = null'
        await new Promise(resolve => pool.query({ sql }, resolve as never))
      }
      turns = all
      results.push(await call(storage))
      // A total is kept beside the call.
      do await setImmediate()
      while (asked + used.size > 0)
      // What was kept, if anything was, is what counts from then on.
      results.push(await call(storage))
    }
    await storage.close()
    return results
  }

  test.each<[what: string, first: Outcome, last: Outcome, completed: number[]]>([
    ['all complete', COMPLETED, COMPLETED, [3, 2, 1]],
    ['the last ones complete', FAILED, COMPLETED, [3, 2]],
    ['the last ones fail', COMPLETED, FAILED, [1]],
  ])(
    'a period is ready, and its report final, only where all of it is known: %s',
    async (_, first, last, completed) => {
      const steps = stepsTo(first, last)
      for (const step of steps) await step(ahead.storage)
      for (const step of [async () => {}, ...steps]) {
        await step(behind.storage)
        for (const slice of [ALL, { skip: 0, limit: 1 }, { skip: 7, limit: 1 }]) {
          const pages = await inAllTurns(({ cashUps }) => cashUps.payments(merchantId, reference, slice))
          const ready = pages.flatMap(page => (page === null || page === 'not_ready' ? [] : [page]))
          const ids = completed.slice(slice.skip, slice.skip + slice.limit)
          for (const { items, total } of ready) {
            expect(items.map(({ id, status }) => [id, status])).toEqual(ids.map(id => [id, 'completed']))
            expect(total).toBe(completed.length)
          }
          expect(ready.length).toBeGreaterThan(0)
        }
        const reports = await inAllTurns(({ reports }) => reports.period(merchantId, reference))
        const final = reports.flatMap(report => (report?.final ? [report] : []))
        for (const { byStatus } of final) {
          const counts = [byStatus.completed.count, byStatus.error.count]
          expect(counts).toEqual([completed.length, 3 - completed.length])
        }
        expect(final.length).toBeGreaterThan(0)
      }
    },
  )
})
