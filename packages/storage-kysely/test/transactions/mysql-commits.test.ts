import { Kysely, MysqlDialect } from 'kysely'
import mysql from 'mysql2'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { CommitUnknownError, DatabaseError, type DatabaseStorage, kyselyStorage } from '../../src/index.ts'
import { hostDatabaseAt, PATIENT, storageAt } from '../engines/address.ts'
import { inAShop } from '../engines/in-a-shop.ts'
import { overMysql } from '../engines/index.ts'
import { mysqlError } from '../faults/mysql-error.ts'
import { type CuttingProxy, startProxy } from '../faults/proxy.ts'
import { blocked, byPort, openSession, serverOf } from '../faults/session.ts'
import { ALL, attempt, merchantId, NOW } from '../faults/shop.ts'

const COMMIT = /\bcommit\b/i
const ROLLBACK = /\brollback$/i
const completed = { status: 'completed' } as const

/** What a node of a Galera cluster says of a commit that it was cut off at: the other nodes may have it, and keep it. */
const CUT_OFF = ['HY000', 'Got error 6 "No such device or address" during COMMIT'] as const

/** What it says of the rollback that comes next, and of all else. */
const REFUSED = ['08S01', 'WSREP has not yet prepared node for application use'] as const

/** What a node of a group of MySQL servers says where it leaves the others while it waits for what they say of its commit. */
const LEFT = ['HY000', "Error on observer while running replication hook 'before_commit'."] as const
/** What it says where another node's transaction comes first: before its own is sent, and once all have compared them. */
const OVERTAKEN = ['HY000', "Got error 149 - 'Lock deadlock; Retry transaction' during COMMIT"] as const
const CONFLICT = ['40000', 'Plugin instructed the server to rollback the current transaction.'] as const

/** What an error leaves of the commit that it answers: nothing, so that it is run again or is final, or nobody knows. */
const ERRORS: [errno: number, sqlState: string, message: string, fate: 'again' | 'final' | 'unknown'][] = [
  [1180, ...CUT_OFF, 'unknown'],
  [3100, ...LEFT, 'unknown'],
  [1180, ...OVERTAKEN, 'again'],
  [3101, ...CONFLICT, 'again'],
  [1053, '08S01', 'Server shutdown in progress', 'unknown'],
  [1927, '70100', 'Connection was killed', 'unknown'],
  // Of a program between that lost the server.
  [2013, 'HY000', 'Lost connection to MySQL server during query', 'unknown'],
  [2006, 'HY000', 'MySQL server has gone away', 'unknown'],
  [1047, ...REFUSED, 'again'],
  [1205, 'HY000', 'Lock wait timeout exceeded; try restarting transaction', 'again'],
  [1213, '40001', 'Deadlock found when trying to get lock; try restarting transaction', 'again'],
  [1317, '70100', 'Query execution was interrupted', 'final'],
]

overMysql(({ name, create }) => {
  const shop = inAShop(create)
  let proxy: CuttingProxy

  beforeEach(async () => {
    proxy = await startProxy(serverOf(shop.database.address))
  })

  afterEach(async () => {
    await proxy.close()
  })

  const cutOffAsItCommits = () => {
    proxy.answerAfter(COMMIT, mysqlError(1180, ...CUT_OFF))
    proxy.answerBefore(ROLLBACK, mysqlError(1047, ...REFUSED))
  }
  const all = async () => (await shop.storage.payments.list(merchantId, {}, ALL)).items

  describe.each(['a pool of its own', "a host's Kysely"])('%s', kind => {
    let payments: DatabaseStorage['payments']
    let close: () => Promise<void>

    beforeEach(() => {
      const address = byPort(shop.database.address, proxy.port)
      if (kind === 'a pool of its own') {
        const own = storageAt(address)
        payments = own.payments
        close = () => own.close()
      } else {
        const db = hostDatabaseAt(address)
        payments = kyselyStorage(db, 'mysql', PATIENT).payments
        close = () => db.destroy()
      }
    })

    afterEach(() => close())

    test.each(ERRORS)('a commit that is answered with %s %s, %s: a start is %4$s', async (...error) => {
      const [errno, sqlState, message, fate] = error
      proxy.answerBefore(COMMIT, mysqlError(errno, sqlState, message))
      const answer: unknown = await payments.start(attempt(), NOW).catch(thrown => thrown)
      if (fate === 'again') {
        expect(answer).toMatchObject({ payment: { id: 1 }, created: true })
      } else {
        expect(answer).toBeInstanceOf(DatabaseError)
        expect(answer instanceof CommitUnknownError).toBe(fate === 'unknown')
        expect((answer as Error).cause).toMatchObject({ errno, message })
      }
      expect((await all()).length).toBe(fate === 'again' ? 1 : 0)
      expect((await payments.start(attempt(), NOW)).created).toBe(true)
    })

    test('a start that loses to others again and again goes on for as long as it may wait', async () => {
      const random = vi.spyOn(Math, 'random').mockReturnValue(0)
      onTestFinished(() => void random.mockRestore())
      proxy.answerBefore(COMMIT, mysqlError(1213, '40001', 'Deadlock found'), 50)
      expect(await payments.start(attempt(), NOW)).toMatchObject({ payment: { id: 1 }, created: true })
      expect((await all()).length).toBe(1)
    })

    test('a start whose id another node of a cluster has just given looks again, and takes the next', async () => {
      const taken = mysqlError(1062, '23000', "Duplicate entry 'shop-1' for key 'PRIMARY'")
      proxy.answerBefore(/insert into .*payments/, taken)
      expect(await payments.start(attempt(), NOW)).toMatchObject({ payment: { id: 1 }, created: true })
      expect((await all()).length).toBe(1)
    })

    test('a start whose commit is in doubt, and whose rollback is refused: it is unknown, and there once', async () => {
      cutOffAsItCommits()
      await expect(payments.start(attempt(), NOW)).rejects.toMatchObject({
        constructor: CommitUnknownError,
        cause: { errno: 1180 },
      })
      expect((await all()).length).toBe(1)
    })

    test('starts that share a commit which took place all the same: none is there twice', async () => {
      await payments.start(attempt(), NOW)
      const session = await openSession(shop.database.address)
      await session.run('begin')
      await session.run(`select * from ${session.table('ledgers')} for update`)
      const references = Array.from({ length: 20 }, (_, n) => `order-${n}`)
      const ended = Promise.allSettled(
        references.map(merchantReference => payments.start(attempt({ merchantReference }), NOW)),
      )
      await blocked(shop.database.address)
      proxy.answerAfter(COMMIT, mysqlError(1180, ...CUT_OFF), Number.POSITIVE_INFINITY)
      await session.run('rollback')
      await session.close()
      const answers = await ended
      const kept = (await all()).map(({ merchantReference }) => merchantReference)
      expect(kept.toSorted()).toEqual([null, ...references].toSorted())
      for (const one of answers)
        expect(one).toMatchObject({ status: 'rejected', reason: expect.any(CommitUnknownError) })
    })

    test.each(['answerBefore', 'answerAfter'] as const)(
      'an outcome, %s the server has committed it: run again, one outcome and one delivery',
      async answer => {
        const { payment } = await payments.start(attempt(), NOW)
        proxy[answer](COMMIT, mysqlError(1180, ...CUT_OFF))
        const resolved = await payments.resolve(payment, completed, NOW)
        expect(resolved?.payment).toEqual({ ...payment, ...completed })
        expect(await shop.storage.payments.get(payment)).toEqual(resolved?.payment)
        expect((await shop.storage.deliveries.list(merchantId, undefined, ALL)).total).toBe(1)
      },
    )
  })

  test('a start whose commit is refused, and whose rollback is too: what comes next commits nothing of it', async () => {
    const own = storageAt(byPort(shop.database.address, proxy.port))
    const interrupted = mysqlError(1317, '70100', 'Query execution was interrupted')
    for (const end of [COMMIT, ROLLBACK]) proxy.answerBefore(end, interrupted)
    const refused = await own.payments.start(attempt(), NOW).catch(error => error)
    expect(refused).toBeInstanceOf(DatabaseError)
    expect(refused).not.toBeInstanceOf(CommitUnknownError)
    expect((await own.payments.start(attempt(), NOW)).payment.id).toBe(1)
    expect((await all()).length).toBe(1)
    await own.close()
  })

  test('so it is of a storage.transaction, which is not told that it was refused', async () => {
    const own = storageAt(byPort(shop.database.address, proxy.port))
    cutOffAsItCommits()
    await expect(own.transaction(inside => inside.payments.start(attempt(), NOW))).rejects.toMatchObject({
      constructor: CommitUnknownError,
      cause: { errno: 1180 },
    })
    expect((await all()).length).toBe(1)
    await own.close()
  })

  // Galera is MariaDB's here.
  test.skipIf(name === 'MySQL')(
    "a start of a host's Kysely whose commit a node refuses that is cut off, and its rollback too: it is there once, and the session reads as before",
    async () => {
      const { address } = shop.database
      if (address.dialect !== 'mysql') throw new Error('not MySQL')
      const { uri } = byPort(address, proxy.port) as typeof address
      const pool = mysql.createPool({ uri, connectionLimit: 1 })
      const db = new Kysely<never>({ dialect: new MysqlDialect({ pool }) })
      for (const end of [COMMIT, ROLLBACK]) proxy.answerBefore(end, mysqlError(1047, ...REFUSED))
      const { payments } = kyselyStorage(db, 'mysql', PATIENT)
      expect(await payments.start(attempt(), NOW)).toMatchObject({ payment: { id: 1 }, created: true })
      expect((await all()).length).toBe(1)
      const [settings] = await pool.promise().query(`show variables like 'wsrep_dirty_reads'`)
      expect(settings).not.toContainEqual(expect.objectContaining({ Value: 'ON' }))
      await db.destroy()
    },
  )
})
