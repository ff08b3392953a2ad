import { setTimeout as sleep } from 'node:timers/promises'
import { type OwnServer, ownMariadb, ownPostgres } from '@tillkit/servers'
import type { Storage } from '@tillkit/storage'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest'
import { DatabaseError, kyselyStorage } from '../../../src/index.ts'
import { type Address, hostDatabaseAt, storageAt } from '../../engines/address.ts'
import { attempt, merchantId, NOW, openShop } from '../shop.ts'

/** A server of which there are few connections and which is read-only, except for those who look after it. */
interface Unwell {
  name: string
  start(): Promise<OwnServer>
  /** As whoever looks after it. */
  keeper(url: string): Address
  /** As everybody else, once `keeper` has made the tables. */
  user(url: string): Promise<Address>
  /** Takes a connection as everybody else does; rejects where there is none left. */
  take(address: Address): Promise<() => Promise<void>>
  /** How many there are, and the codes of the engine's errors. */
  connections: number
  readOnly: string
  full: string
}

const postgres: Unwell = {
  name: 'PostgreSQL',
  start: () =>
    ownPostgres({
      settings: {
        max_connections: '8',
        superuser_reserved_connections: '0',
        default_transaction_read_only: 'on',
      },
    }),
  keeper: url => ({
    ...{ dialect: 'postgres', schema: 'public' },
    connectionString: `${url}?options=${encodeURIComponent('-c default_transaction_read_only=off')}`,
  }),
  user: async connectionString => ({ dialect: 'postgres', schema: 'public', connectionString }),
  async take(address) {
    if (address.dialect !== 'postgres') throw new Error('not PostgreSQL')
    const client = new pg.Client({ connectionString: address.connectionString })
    await client.connect()
    return () => client.end()
  },
  connections: 8,
  readOnly: '25006',
  full: '53300',
}

const mariadb: Unwell = {
  name: 'MariaDB',
  // The least that it takes is ten.
  start: () => ownMariadb({ settings: { 'max-connections': '10', 'read-only': '1' } }),
  keeper: uri => ({ dialect: 'mysql', uri }),
  async user(url) {
    const connection = await mysql.createConnection(url)
    for (const host of ['%', 'localhost']) {
      await connection.query(`create user shop@'${host}' identified by 'shop'`)
      await connection.query(`grant select, insert, update, delete on test.* to shop@'${host}'`)
    }
    await connection.end()
    return { dialect: 'mysql', uri: Object.assign(new URL(url), { username: 'shop', password: 'shop' }).href }
  },
  async take(address) {
    if (address.dialect !== 'mysql') throw new Error('not MariaDB')
    const connection = await mysql.createConnection(address.uri)
    return () => connection.end()
  },
  connections: 10,
  readOnly: 'ER_OPTION_PREVENTS_STATEMENT',
  full: 'ER_CON_COUNT_ERROR',
}

describe.each([postgres, mariadb])(
  '$name',
  ({ name, start, keeper, user, take, connections, readOnly, full }) => {
    let server: OwnServer | undefined
    let why: Error | undefined
    let address: Address
    const ends: (() => Promise<void>)[] = []

    beforeAll(async () => {
      try {
        server = await start()
      } catch (error) {
        if (process.env.CI === 'true') throw error
        why = error as Error
        return
      }
      const storage = storageAt(keeper(server.url))
      await storage.migrate()
      await openShop(storage)
      await storage.payments.start(attempt({ attemptKey: 'first' }), NOW)
      await storage.close()
      address = await user(server.url)
    }, 120_000)

    afterAll(async () => {
      for (const end of ends) await end()
      await server?.remove()
    })

    /** By a pool of Tillkit's own, and over a Kysely of the host's. */
    const storages = (context: TestContext): [Storage, Storage] => {
      if (!server) return context.skip(`${name} cannot be started here: ${why?.message}`)
      const own = storageAt(address)
      const db = hostDatabaseAt(address)
      ends.push(
        () => own.close(),
        () => db.destroy(),
      )
      return [own, kyselyStorage(db, address.dialect)]
    }

    const refusal = (work: Promise<unknown>): Promise<DatabaseError> =>
      work.then(
        answer => expect.unreachable(`was not refused: ${JSON.stringify(answer)}`),
        error => {
          expect(error).toBeInstanceOf(DatabaseError)
          expect(error.cause).toBeInstanceOf(Error)
          expect(error.message).not.toContain('\n')
          return error
        },
      )

    test('no connection left: it is asked for again, and then said', { timeout: 240_000 }, async context => {
      const both = storages(context)
      const held: (() => Promise<void>)[] = []
      // The server takes its time to forget those that have left.
      while (held.length < connections) {
        const taken = await take(address).catch(error => expect(error).toMatchObject({ code: full }))
        if (taken) held.push(taken)
        else await sleep(20)
      }
      const asked = both.flatMap(storage => [
        refusal(storage.merchants.get(merchantId)),
        refusal(storage.payments.start(attempt(), NOW)),
      ])
      for (const { message, cause } of await Promise.all(asked)) {
        expect(message).toMatch(/^the database has no connection left: /)
        expect(cause).toMatchObject({ code: full })
      }
      await Promise.all(held.map(giveBack => giveBack()))
      for (const storage of both) expect((await storage.merchants.get(merchantId))?.id).toBe(merchantId)
    })

    test('read-only: it is read, and every write says why it was refused', {
      timeout: 300_000,
    }, async context => {
      for (const storage of storages(context)) {
        expect((await storage.payments.get({ merchantId, id: 1 }))?.id).toBe(1)
        const writes = [
          () => storage.payments.start(attempt(), NOW),
          () => storage.payments.start(attempt({ attemptKey: 'k', strict: true }), NOW),
          () => storage.payments.resolve({ merchantId, id: 1 }, { status: 'completed' }, NOW),
          () => storage.cashUps.create(merchantId, { reference: 'r', idempotencyKey: 'k', now: NOW }),
          () => storage.merchants.update(merchantId, { name: 'Other' }, NOW),
        ]
        for (const write of writes) {
          const { message, cause } = await refusal(write())
          expect(message).toMatch(/^the database is read-only: /)
          expect(cause).toMatchObject({ code: readOnly })
        }
      }
    })
  },
)
