import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { type OwnServer, ownPgbouncer } from '@tillkit/servers'
import { storageConformance } from '@tillkit/storage/conformance'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { DatabaseError, type DatabaseStorage, migrate } from '../../src/index.ts'
import { migrateTo } from '../../src/migrations/migrate.ts'
import { type PostgresConnection, postgresStorage } from '../../src/postgres/index.ts'
import { type Address, hostDatabaseAt, PATIENT } from '../engines/address.ts'
import type { TestDatabase } from '../engines/engine.ts'
import { overPostgres } from '../engines/index.ts'
import { createUser } from '../engines/user.ts'
import { openSession } from '../faults/session.ts'
import { attempt, merchantId, NOW, openShop, startedCompleted } from '../faults/shop.ts'
import { EARLIER_VERSIONS } from '../migrations/versions/earlier-versions.ts'
import { schemaOf } from '../migrations/versions/schema-of.ts'

const { error, stdout } = spawnSync('pgbouncer', ['--version'], { encoding: 'utf8' })
const INSTALLED = error === undefined
const [, major = 0, minor = 0] = /PgBouncer (\d+)\.(\d+)/.exec(stdout ?? '') ?? []
/** Whether it brings a statement that a client has prepared to whichever session a transaction gets. */
const KEEPS = Number(major) > 1 || Number(minor) >= 21

const SESSIONS = 3

function addressOf({ address }: TestDatabase): Extract<Address, { dialect: 'postgres' }> {
  if (address.dialect !== 'postgres') throw new Error('not PostgreSQL')
  return address
}

overPostgres(({ create }) => {
  test.skipIf(!INSTALLED)('behind PgBouncer in session mode nothing has to be said', async () => {
    const database = await create()
    const { connectionString: url, schema } = addressOf(database)
    const pooler = await ownPgbouncer({ url, settings: { pool_mode: 'session' } })
    // The second one is given the sessions of the first.
    for (const ids of [
      [1, 2, 3],
      [4, 5, 6],
    ]) {
      const storage = postgresStorage({ connectionString: pooler.url, ...PATIENT }, { schema })
      await storage.migrate()
      if (ids[0] === 1) await openShop(storage)
      expect(await startedCompleted(storage, 3)).toEqual(ids)
      await storage.close()
    }
    await pooler.remove()
    await database.drop()
  })

  describe.skipIf(!INSTALLED).each(['session', 'transaction'])(
    'limits behind PgBouncer in %s mode',
    pool_mode => {
      let database: TestDatabase
      let pooler: OwnServer
      let storage: DatabaseStorage
      const open = (limits: Partial<PostgresConnection>) =>
        postgresStorage(
          {
            connectionString: pooler.url,
            preparedStatements: pool_mode === 'session',
            ...PATIENT,
            ...limits,
          },
          { schema: addressOf(database).schema },
        )

      beforeAll(async () => {
        database = await create()
        pooler = await ownPgbouncer({ url: addressOf(database).connectionString, settings: { pool_mode } })
        const owner = open({})
        await owner.migrate()
        await openShop(owner)
        await owner.close()
      })

      afterEach(() => storage.close())

      afterAll(async () => {
        await pooler?.remove()
        await database?.drop()
      })

      test('a transaction of the host’s lies idle no longer than it may', async () => {
        storage = open({ idleTransactionTimeoutSeconds: 1 })
        const work = storage.transaction(async bound => {
          await bound.payments.start(attempt(), NOW)
          await sleep(4000)
        })
        await expect(work).rejects.toThrow()
        expect((await storage.payments.start(attempt(), NOW)).payment.id).toBe(1)
      })

      test('what is of many merchants waits for a lock no longer than it may, and was not done', async () => {
        storage = open({ lockTimeoutSeconds: 1 })
        await storage.settlements.begin('BANK-1', NOW)
        const holder = await openSession(database.address)
        try {
          await holder.run('begin')
          await holder.run(`select * from ${holder.table('statements')} for update`)
          const error: unknown = await storage.settlements
            .finish('BANK-1', { rows: 1, differences: 0 }, NOW)
            .catch(thrown => thrown)
          expect(error).toBeInstanceOf(DatabaseError)
          expect((error as DatabaseError).message).toContain('a lock was not to be had for 1 seconds')
        } finally {
          await holder.close()
        }
      })
    },
  )

  describe.skipIf(!INSTALLED)('behind PgBouncer with fewer sessions than clients', () => {
    let database: TestDatabase
    let pooler: OwnServer

    beforeAll(async () => {
      database = await create()
      pooler = await ownPgbouncer({
        url: addressOf(database).connectionString,
        settings: { default_pool_size: `${SESSIONS}`, ...(KEEPS && { max_prepared_statements: '200' }) },
      })
    })

    afterAll(async () => {
      await pooler?.remove()
      await database?.drop()
    })

    const behindIt = (options: Partial<PostgresConnection> = {}, of = database) =>
      postgresStorage(
        { connectionString: pooler.url, preparedStatements: false, ...PATIENT, ...options },
        { schema: addressOf(of).schema },
      )

    test('six migrate at once, with fewer sessions than that, and no lock is left', async () => {
      const empty = await create()
      const storages = Array.from({ length: 6 }, () => behindIt({}, empty))
      await Promise.all(storages.map(storage => storage.migrate()))
      const direct = await openSession(empty.address)
      await direct.run('select pg_advisory_lock(3853314791062309107)')
      await direct.close()
      await Promise.all(storages.map(storage => storage.close()))
      await empty.drop()
    })

    test('six bring the first version up to date at once, index by index', { timeout: 300_000 }, async () => {
      const older = await create()
      const db = hostDatabaseAt(older.address)
      await migrateTo(db, 'postgres', {}, '0001-initial')
      await EARLIER_VERSIONS['0001-initial']?.write(db, 'postgres')
      const storages = Array.from({ length: 6 }, () => behindIt({}, older))
      await Promise.all(storages.map(storage => storage.migrate()))
      const fresh = await create()
      const other = hostDatabaseAt(fresh.address)
      await migrate(other, 'postgres')
      expect(await schemaOf(db, older.address)).toEqual(await schemaOf(other, fresh.address))
      await Promise.all(storages.map(storage => storage.close()))
      for (const one of [db, other]) await one.destroy()
      for (const one of [older, fresh]) await one.drop()
    })

    test('nothing is set for a session that is others’ too, also where nobody said that it is', async () => {
      const alone = await ownPgbouncer({
        url: addressOf(database).connectionString,
        settings: { default_pool_size: '1' },
      })
      const storage = behindIt({ connectionString: alone.url, preparedStatements: true })
      await storage.migrate()
      expect(await storage.merchants.get('nobody')).toBe(null)
      const other = new pg.Client({ connectionString: alone.url })
      await other.connect()
      for (const name of ['lock_timeout', 'idle_in_transaction_session_timeout', 'jit']) {
        const { rows } = await other.query(
          `select setting = reset_val as untouched from pg_settings where name = '${name}'`,
        )
        expect(rows, name).toEqual([{ untouched: true }])
      }
      await other.end()
      await storage.close()
      await alone.remove()
    })

    test.each(['array_nulls = off', 'client_min_messages = error'])(
      'a role whose sessions have %s is refused, as nothing is set for them',
      async setting => {
        const owner = behindIt()
        await owner.migrate()
        await owner.close()
        const user = await createUser(database.address, 'select, insert, update')
        const direct = await openSession(database.address)
        await direct.run(`alter role "${new URL(addressOf(user).connectionString).username}" set ${setting}`)
        await direct.close()
        const pooled = await ownPgbouncer({ url: addressOf(user).connectionString })
        for (const preparedStatements of [true, false]) {
          const storage = behindIt({ connectionString: pooled.url, preparedStatements })
          const error: unknown = await storage.merchants.get(merchantId).catch(thrown => thrown)
          expect(error).toBeInstanceOf(DatabaseError)
          expect((error as DatabaseError).message).toMatch(`set ${setting.split(' ')[0]} to`)
          await storage.close()
        }
        await pooled.remove()
        await user.drop()
      },
    )

    test.skipIf(KEEPS)('statements with names end in an error that says which option to give', async () => {
      const [plain, named] = [behindIt(), behindIt({ preparedStatements: true })]
      await plain.migrate()
      const reads = () => Promise.all(Array.from({ length: 20 }, () => named.merchants.get(merchantId)))
      const error: unknown = await (async () => {
        for (;;) await reads()
      })().catch(thrown => thrown)
      expect(error).toBeInstanceOf(DatabaseError)
      expect((error as DatabaseError).message).toContain('give postgresStorage preparedStatements: false')
      await named.close()
      await plain.close()
    })

    test.each([
      ['without names', false],
      ['with names', true],
    ])(
      'a lock is waited for no longer than it may be, by a statement and by a transaction %s',
      async (_, preparedStatements) => {
        const empty = await create()
        // One session is every client's, so that names are known there.
        const alone = await ownPgbouncer({
          url: addressOf(empty).connectionString,
          settings: { default_pool_size: '1' },
        })
        const ways = { connectionString: alone.url, lockTimeoutSeconds: 1, preparedStatements }
        const storage = behindIt(ways, empty)
        await storage.migrate()
        await openShop(storage)
        const holder = await openSession(empty.address)
        try {
          await holder.run('begin')
          await holder.run(`select * from ${holder.table('ledgers')} for update`)
          for (const fields of [{}, { strict: true, merchantReference: 'order-1', requiredAmount: 100 }]) {
            const error: unknown = await storage.payments.start(attempt(fields), NOW).catch(thrown => thrown)
            expect(error).toBeInstanceOf(DatabaseError)
            expect((error as DatabaseError).message).toContain(`the lock of merchant ${merchantId}`)
          }
        } finally {
          await holder.close()
        }
        expect((await storage.payments.start(attempt(), NOW)).payment.id).toBe(1)
        await storage.close()
        await alone.remove()
        await empty.drop()
      },
    )

    describe.each([
      ['without names', false],
      ['with names, from 1.21 on', true],
    ])('statements %s', (_, preparedStatements) => {
      storageConformance(
        { describe: describe.skipIf(preparedStatements && !KEEPS) as typeof describe, test, expect },
        async () => {
          const empty = await create()
          const storage = behindIt({ preparedStatements }, empty)
          await storage.migrate()
          const close = async () => {
            await storage.close()
            await empty.drop()
          }
          return { storage, close }
        },
      )
    })
  })
})
