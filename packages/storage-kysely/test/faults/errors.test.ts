import { inspect } from 'node:util'
import type { Storage } from '@tillkit/storage'
import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DatabaseError, type DatabaseStorage, kyselyStorage } from '../../src/index.ts'
import {
  type Address,
  changedAddress,
  type HostTables,
  hostDatabaseAt,
  PATIENT,
  storageAt,
} from '../engines/address.ts'
import type { TestDatabase } from '../engines/engine.ts'
import { overEveryEngine, overEveryServer, overMysql } from '../engines/index.ts'
import { createUser } from '../engines/user.ts'
import { mysqlError } from './mysql-error.ts'
import { startProxy } from './proxy.ts'
import { byPort, serverOf } from './session.ts'
import { ALL, attempt, merchantId, NOW, openShop } from './shop.ts'

const SECRET = 'Sec’ret-5f3a'
const HIDDEN = [SECRET, 'ret-5f3a', Buffer.from(SECRET).toString('hex'), Buffer.from('5f3a').toString('hex')]
const merchant = {
  ...{ id: SECRET, name: SECRET, webhookUrl: `https://x.example/${SECRET}`, createdAt: NOW },
  features: { tips: false, userReferences: false, deviceLists: false },
}
const payment = attempt({
  ...{ scanCode: SECRET, scanCodeReference: SECRET, userReference: SECRET, merchantReference: SECRET },
  ...{ deviceSerialNumber: SECRET, attemptKey: SECRET, extra: { [SECRET]: SECRET } },
})
const code = { code: SECRET, merchantId, reference: SECRET, createdAt: NOW }
const key = { id: SECRET, merchantId, label: SECRET, createdAt: NOW, expiresAt: null }
const result = {
  ...{ merchantId, paymentId: 1, fence: 0, state: 'pending' as const, nextAttemptAt: NOW },
  attempt: { at: NOW, status: 500, milliseconds: 1, error: SECRET, answer: SECRET },
}

/** Every kind of statement, with a secret wherever a text may stand. */
const WRITES: Record<string, (storage: Storage) => Promise<unknown>> = {
  'merchants.create': ({ merchants }) => merchants.create(merchant),
  'merchants.update': ({ merchants }) => merchants.update(merchantId, { name: SECRET }, NOW),
  'merchants.setWebhookKey': ({ merchants }) => merchants.setWebhookKey(merchantId, SECRET),
  'scanCodes.add': ({ scanCodes }) => scanCodes.add(code),
  'apiKeys.add': ({ apiKeys }) => apiKeys.add(key, SECRET),
  'payments.start': ({ payments }) => payments.start(payment, NOW),
  'payments.start, strict': ({ payments }) =>
    payments.start({ ...payment, strict: true, attemptKey: `${SECRET}2` }, NOW),
  'payments.resolve': ({ payments }) =>
    payments.resolve({ merchantId, id: 1 }, { status: 'error', failure: SECRET }, NOW),
  'payments.settle': ({ payments }) => payments.settle(merchantId, SECRET, [2]),
  'cashUps.create': ({ cashUps }) =>
    cashUps.create(merchantId, { reference: SECRET, idempotencyKey: SECRET, now: NOW }),
  'deliveries.record': ({ deliveries }) => deliveries.record(result),
}
const READS: Record<string, (storage: Storage) => Promise<unknown>> = {
  'merchants.get': ({ merchants }) => merchants.get(SECRET),
  'merchants.list': ({ merchants }) => merchants.list({ after: SECRET, limit: 1 }),
  'apiKeys.findMerchant': ({ apiKeys }) => apiKeys.findMerchant(SECRET, NOW),
  'scanCodes.find': ({ scanCodes }) => scanCodes.find(SECRET),
  'payments.list': ({ payments }) =>
    payments.list(merchantId, { userReference: SECRET, status: ['error'] }, ALL),
  'payments.findAttempt': ({ payments }) => payments.findAttempt(merchantId, SECRET),
  'cashUps.payments': ({ cashUps }) => cashUps.payments(merchantId, SECRET, ALL),
  'deliveries.list': ({ deliveries }) => deliveries.list(SECRET, undefined, ALL),
  'deliveries.claim': ({ deliveries }) =>
    deliveries.claim({ now: NOW, leaseUntil: NOW, limit: 1, exceptMerchants: [SECRET] }),
  'endpoints.get': ({ endpoints }) => endpoints.get(SECRET),
}

function expectNoSecret(error: unknown): void {
  const shown = `${inspect(error, { depth: 10, showHidden: true })} ${JSON.stringify(error)}`
  for (const text of HIDDEN) expect(shown).not.toContain(text)
}

async function refusedBy(work: Promise<unknown>): Promise<DatabaseError> {
  const error = await work.then(
    answer => new Error(`was not refused: ${JSON.stringify(answer)}`),
    reason => reason,
  )
  expect(error).toBeInstanceOf(DatabaseError)
  expectNoSecret(error)
  return error
}

const TABLES = [
  'merchants',
  'scan_codes',
  'api_keys',
  'payments',
  'cash_ups',
  'deliveries',
  'delivery_attempts',
]

overEveryEngine(({ create }) => {
  let database: TestDatabase
  let storage: DatabaseStorage
  let db: Kysely<HostTables>

  beforeEach(async () => {
    database = await create()
    storage = storageAt(database.address)
    db = hostDatabaseAt(database.address)
  })

  afterEach(async () => {
    await storage.close()
    await db.destroy()
    await database.drop()
  })

  const both = () => [storage, kyselyStorage(db, database.address.dialect, PATIENT)]

  test.each(Object.entries({ ...WRITES, ...READS }))('not migrated: %s says what to do', async (_, work) => {
    for (const one of both()) {
      const error = await refusedBy(work(one))
      expect(error.message).toBe('the database has no Tillkit tables yet: call storage.migrate()')
      expect(error.cause).toBeInstanceOf(Error)
    }
  })

  describe('an engine that speaks of the row', () => {
    beforeEach(async () => {
      await storage.migrate()
      await openShop(storage)
      await storage.payments.start(attempt(), NOW)
      const second = await storage.payments.start(attempt(), NOW)
      await storage.payments.resolve(second.payment, { status: 'completed' }, NOW)
      for (const table of TABLES) await talk(table)
    })

    /** Refuses each row, and says which it was. */
    async function talk(table: string): Promise<void> {
      const name = sql.table(`tillkit_${table}`)
      const { dialect } = database.address
      if (dialect === 'postgres') {
        await sql`alter table ${name} add constraint no check (false) not valid`.execute(db)
        return
      }
      for (const event of ['insert', 'update']) {
        const trigger = sql.id(`no_${event}_${table}`)
        const body =
          dialect === 'mysql'
            ? sql`signal sqlstate '45000' set message_text = ${sql.lit(`the row's ${SECRET}`)}`
            : sql`begin select raise(abort, ${sql.lit(`the row's ${SECRET}`)}); end`
        await sql`create trigger ${trigger} before ${sql.raw(event)} on ${name} for each row ${body}`.execute(
          db,
        )
      }
    }

    test.each(Object.entries(WRITES))('%s: its error holds no value', async (name, work) => {
      for (const one of both()) {
        // There is no delivery to record: PostgreSQL alone does not look first.
        if (name === 'deliveries.record') expectNoSecret(await work(one).catch(error => error))
        else await refusedBy(work(one))
      }
    })

    test('nor does what a transaction throws', async () => {
      await refusedBy(storage.transaction(inside => inside.payments.start(payment, NOW)))
      await refusedBy(
        db
          .transaction()
          .execute(trx => kyselyStorage(trx, database.address.dialect, PATIENT).payments.start(payment, NOW)),
      )
    })
  })

  test('a column that is not there', async () => {
    await storage.migrate()
    await openShop(storage)
    await storage.payments.start(attempt(), NOW)
    await sql`alter table ${sql.table('tillkit_payments')} rename column user_reference to another`.execute(
      db,
    )
    for (const one of both()) {
      const error = await refusedBy(one.payments.list(merchantId, { userReference: SECRET }, ALL))
      expect(error.message).toMatch(/^the Tillkit tables are of another version, call storage.migrate\(\): /)
      await refusedBy(one.payments.start(payment, NOW))
    }
  })

  test('what the work of a transaction throws is the host’s own', async () => {
    await storage.migrate()
    const own = new Error('my own')
    await expect(storage.transaction(() => Promise.reject(own))).rejects.toBe(own)
  })

  test('closed', async () => {
    await storage.migrate()
    await storage.merchants.get('x')
    await storage.close()
    const error = await refusedBy(storage.merchants.get('x'))
    expect(error.message).toBe('the storage is closed')
  })
})

overEveryServer(({ create }) => {
  let database: TestDatabase

  beforeEach(async () => {
    database = await create()
  })
  afterEach(() => database.drop())

  const refused = async (address: Address) => {
    const storage = storageAt(address)
    const error = await refusedBy(storage.merchants.get('x'))
    await storage.close()
    return error
  }

  test('a database that does not exist', async () => {
    const { message } = await refused(
      changedAddress(database.address, url => (url.pathname = '/no-such-database')),
    )
    expect(message).toMatch(/^the database does not exist: .*no-such-database/)
  })

  test('a user that is not known', async () => {
    const { message } = await refused(
      changedAddress(database.address, url =>
        Object.assign(url, { username: 'nobody-at-all', password: SECRET }),
      ),
    )
    expect(message).toMatch(
      /^the database refuses this user or password(?:, or a connection without TLS \(ssl in the address\))?: |role "nobody-at-all" does not exist/,
    )
  })

  test('a session that may only read', async () => {
    const storage = storageAt(database.address)
    await storage.migrate()
    await openShop(storage)
    await storage.close()
    const { dialect } = database.address
    const options = `?options=${encodeURIComponent('-c default_transaction_read_only=on')}`
    if (dialect !== 'postgres') return
    const reading = storageAt(changedAddress(database.address, url => (url.search = options)))
    const error = await refusedBy(reading.payments.start(payment, NOW))
    expect(error.message).toMatch(/^the database is read-only: /)
    await reading.close()
  })

  test('a user without a right', async () => {
    const owner = storageAt(database.address)
    await owner.migrate()
    await openShop(owner)
    await owner.close()
    const { address, drop } = await createUser(database.address, 'select')
    const storage = storageAt(address)
    expect((await storage.merchants.get(merchantId))?.id).toBe(merchantId)
    const error = await refusedBy(storage.merchants.setWebhookKey(merchantId, SECRET))
    expect(error.message).toMatch(/^the user of the database may not do this: /)
    await storage.close()
    await drop()
  })
})

overMysql(({ create }) => {
  test.each([
    ['max-session-mem-used=8192', /^the database failed: .*max-session-mem-used/],
    ['read-only', /^the database is read-only: .*read-only option/],
  ])('a server whose option %s keeps it from a statement', async (option, says) => {
    const { address, drop } = await create()
    const owner = storageAt(address)
    await owner.migrate()
    await owner.close()
    const proxy = await startProxy(serverOf(address))
    const storage = storageAt(byPort(address, proxy.port))
    const message = `The MariaDB server is running with the --${option} option so it cannot execute this statement`
    proxy.answerBefore(/tillkit_merchants/, mysqlError(1290, 'HY000', message), 9)
    expect((await refusedBy(storage.merchants.get('x'))).message).toMatch(says)
    await storage.close()
    await proxy.close()
    await drop()
  })

  test('what others have done to the tables is named', async () => {
    const { address, drop } = await create()
    const storage = storageAt(address)
    const db = hostDatabaseAt(address)
    await storage.migrate()
    await openShop(storage)
    const refusal = async () => (await refusedBy(storage.payments.start(payment, NOW))).message
    const run = (statement: string) => sql.raw(statement).execute(db)

    await run('alter table tillkit_payments add constraint mine check (total_amount <> 100)')
    expect(await refusal()).toMatch(/^the database failed: .*\bmine\b/)
    await run('alter table tillkit_payments drop constraint mine')
    await run(
      'alter table tillkit_payments add constraint mine foreign key (scan_code) references tillkit_scan_codes (code)',
    )
    expect(await refusal()).toMatch(/^the database failed: .*CONSTRAINT `mine`/)
    await run('alter table tillkit_payments drop foreign key mine, drop index tillkit_payments_pending')
    const pending = storage.payments.pendingSince({ date: NOW, limit: 1 })
    expect((await refusedBy(pending)).message).toMatch(
      /^an index or a key of the Tillkit tables is gone: .*tillkit_payments_pending/,
    )
    await db.destroy()
    await storage.close()
    await drop()
  })
})
