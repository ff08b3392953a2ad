import { type AddressInfo, createServer, Socket } from 'node:net'
import type { Storage } from '@tillkit/storage'
import { Kysely, MysqlDialect, sql } from 'kysely'
import type mysql from 'mysql2'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { DatabaseError, kyselyStorage, migrate } from '../../src/index.ts'
import { mysqlStorage } from '../../src/mysql/index.ts'
import { PATIENT, storageAt } from '../engines/address.ts'
import { countedMysqlPool } from '../engines/counted-mysql-pool.ts'
import type { TestDatabase } from '../engines/engine.ts'
import { overMysql } from '../engines/index.ts'
import { openSession } from '../faults/session.ts'
import { ALL, attempt, merchantId, NOW, openShop } from '../faults/shop.ts'

const STRICT = 'STRICT_ALL_TABLES'

/** Sessions in which statements would mean something else, and what is said of each. */
const REFUSED: [setting: string, said: RegExp][] = [
  ['set names latin1', /character sets are latin1: make the pool with charset 'utf8mb4'/],
  ['set names utf8', /character sets are utf8/],
  ['set character_set_client = gbk', /character sets are gbk and utf8mb4/],
  ['set character_set_results = latin1', /character sets are utf8mb4 and latin1/],
  ['set character_set_results = null', /character sets are utf8mb4 and /],
  ['set autocommit = 0', /autocommit is off: set autocommit = 1$/],
  ['set completion_type = chain', /completion_type is CHAIN: set completion_type = NO_CHAIN$/],
  [`set sql_mode = ''`, /sql_mode is not strict.*add STRICT_ALL_TABLES to sql_mode$/],
  ['set unique_checks = 0', /unique_checks is off/],
  ['set sql_select_limit = 3', /sql_select_limit of 3 cuts results/],
  ['set sql_safe_updates = 1', /sql_safe_updates/],
  ['set max_sort_length = 64', /max_sort_length of 64 puts rows out of order.*: set max_sort_length = 1024$/],
  ['set max_join_size = 1000', /max_join_size refuses reads of what has grown: set sql_big_selects = 1/],
  // Less than a server has settings.
  [
    'set max_join_size = 10',
    /^the session's max_join_size refuses reads of what has grown: set sql_big_selects = 1/,
  ],
]

/** What one of the two servers alone has, or says otherwise: MySQL takes no text beside a statement that it cannot keep. */
const REFUSED_BY_MARIADB: typeof REFUSED = [
  ['set character_set_connection = ascii', /character sets are utf8mb4 and ascii/],
  [`set sql_mode = '${STRICT},EMPTY_STRING_IS_NULL'`, /take EMPTY_STRING_IS_NULL out of sql_mode$/],
]
const REFUSED_BY_MYSQL: typeof REFUSED = [
  [
    'set character_set_connection = ascii',
    /character sets (are utf8mb4 and ascii|lack what is sent): make the pool with charset 'utf8mb4'/,
  ],
]

/** Sessions that change how others' statements are read, and nothing here. */
const HARMLESS = [
  `set sql_mode = '${STRICT},NO_BACKSLASH_ESCAPES,ANSI_QUOTES,PIPES_AS_CONCAT,IGNORE_SPACE,NO_ZERO_DATE'`,
  `set sql_mode = 'TRADITIONAL,ONLY_FULL_GROUP_BY,PAD_CHAR_TO_FULL_LENGTH,NO_UNSIGNED_SUBTRACTION'`,
  `set time_zone = '+13:00'`,
  `set time_zone = '-11:00', lc_time_names = 'de_DE', div_precision_increment = 0`,
  'set session transaction isolation level serializable',
  'set session transaction isolation level repeatable read',
  'set session transaction isolation level read uncommitted',
  `set collation_connection = 'utf8mb4_turkish_ci', foreign_key_checks = 0, sql_auto_is_null = 1`,
]

overMysql(({ create, name }) => {
  let database: TestDatabase
  let uri = ''
  let ends: (() => Promise<unknown>)[] = []
  let sent: string[] = []

  beforeAll(async () => {
    database = await create()
    if (database.address.dialect !== 'mysql') throw new Error('not MySQL')
    uri = database.address.uri
    const storage = storageAt(database.address)
    await storage.migrate()
    await openShop(storage)
    await storage.payments.start(attempt({ userReference: 'ħ’𝄞' }), NOW)
    await storage.close()
  })

  afterEach(async () => {
    for (const end of ends) await end()
    ends = []
  })

  afterAll(() => database.drop())

  /** A pool of the host's, whose connections begin with `settings`, and which tells what is sent. */
  function pool(options: mysql.PoolOptions, ...settings: string[]): mysql.Pool {
    const { pool: made, texts } = countedMysqlPool({ uri, ...options }, ...settings)
    sent = texts
    ends.push(() => made.promise().end())
    return made
  }
  const byPool = (options: mysql.PoolOptions, ...settings: string[]): Storage =>
    mysqlStorage({ pool: pool(options, ...settings), ...PATIENT })
  const dbOf = (options: mysql.PoolOptions, ...settings: string[]) =>
    new Kysely({ dialect: new MysqlDialect({ pool: pool(options, ...settings) }) })
  const byKysely = (options: mysql.PoolOptions, ...settings: string[]): Storage =>
    kyselyStorage(dbOf(options, ...settings), 'mysql', PATIENT)
  const inTransaction = async (setting: string) =>
    dbOf({}, setting)
      .transaction()
      .execute(trx => kyselyStorage(trx, 'mysql', PATIENT).payments.start(attempt(), NOW))

  const unmade = async () => {
    const { rows } = await sql`show tables like 'unmade%'`.execute(dbOf({}))
    return rows
  }

  test('migrations go by no connection that differs from the pool’s first', async () => {
    const made = pool({})
    let count = 0
    made.on('connection', connection => {
      if (++count > 1) connection.query('set names latin1')
    })
    // Each statement and each transaction has a new one.
    made.on('release', connection => connection.destroy())
    const db = new Kysely({ dialect: new MysqlDialect({ pool: made }) })
    const work = migrate(db, 'mysql', { tablePrefix: 'unmade_' })
    await expect(work).rejects.toThrow(/character sets are latin1/)
    const names = (await unmade()).flatMap(row => Object.values(row as object)).sort()
    expect(names).toEqual([])
  })

  describe('a session that would change meaning is refused at its first use, in one sentence', () => {
    const besides = name === 'MariaDB' ? REFUSED_BY_MARIADB : REFUSED_BY_MYSQL
    test.each([...REFUSED, ...besides])('%s', async (setting, said) => {
      const uses = [
        () => byPool({}, setting).payments.list(merchantId, {}, ALL),
        () => byPool({}, setting).payments.start(attempt(), NOW),
        () => byKysely({}, setting).payments.list(merchantId, {}, ALL),
        () => byKysely({}, setting).payments.start(attempt(), NOW),
        () => inTransaction(setting),
        () => mysqlStorage({ pool: pool({}, setting), ...PATIENT }).migrate(),
        () => migrate(dbOf({}, setting), 'mysql', { tablePrefix: 'unmade_' }),
      ]
      for (const use of uses) {
        const error = await use().catch(reason => reason)
        expect(error).toBeInstanceOf(DatabaseError)
        expect(error.message).toMatch(said)
        expect(error.message).not.toContain('\n')
      }
      expect(await unmade()).toEqual([])
    })

    test.each([
      ['charset latin1', { charset: 'latin1' }],
      ['charset gbk', { charset: 'gbk' }],
      ['a format of the host’s', { queryFormat: (sql: string) => sql.replace('?', `'x'`) }],
    ])('a Kysely with %s', async (_, options) => {
      const error = await byKysely(options as mysql.PoolOptions)
        .payments.list(merchantId, {}, ALL)
        .catch(reason => reason)
      expect(error).toBeInstanceOf(DatabaseError)
      expect(error.message).toMatch(/character sets are|gives text back other than it was sent/)
    })
  })

  test.each([
    ['rowsAsArray', { rowsAsArray: true }],
    ['nestTables', { nestTables: true }],
  ])('rows in a form of the host’s, by %s', async (_, options) => {
    for (const storage of [byPool(options as mysql.PoolOptions), byKysely(options as mysql.PoolOptions)]) {
      const error = await storage.merchants.get(merchantId).catch(reason => reason)
      expect(error).toBeInstanceOf(DatabaseError)
      expect(error.message).toMatch(/^the pool gives rows in a form of its own: make it without rowsAsArray/)
    }
  })

  const everyUse = async (storage: Storage) => {
    const text = `it’s \\ "ħ" 𝄞 ${'x'.repeat(200)}`
    const { payment } = await storage.payments.start(
      attempt({
        userReference: text,
        strict: true,
        merchantReference: text + Math.random(),
        extra: { a: text },
      }),
      null,
    )
    expect(payment.date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    const now = new Date(Date.now() + 3_600_000).toISOString()
    const resolved = await storage.payments.resolve(payment, { status: 'completed' }, now)
    expect(resolved?.payment).toEqual({ ...payment, status: 'completed' })
    expect(await storage.payments.get(payment)).toEqual(resolved?.payment)
    const filter = { userReference: text, status: ['completed' as const], startDate: payment.date }
    expect((await storage.payments.list(merchantId, filter, ALL)).items[0]).toEqual(resolved?.payment)
    const leaseUntil = new Date(Date.parse(now) + 60_000).toISOString()
    const claimed = await storage.deliveries.claim({ now, leaseUntil, limit: 100 })
    expect(claimed.map(({ paymentId }) => paymentId)).toContain(payment.id)
    await storage.payments.settle(merchantId, 'BANK-1', [payment.id])
    const made = await storage.cashUps.create(merchantId, {
      ...{ reference: `c${Math.random()}`.padEnd(32, '0').slice(0, 32), idempotencyKey: null, now },
    })
    expect((await storage.cashUps.list(merchantId, ALL)).items[0]).toEqual(made)
    const tooLong = await storage.payments
      .resolve(
        (await storage.payments.start(attempt(), null)).payment,
        { status: 'error', failure: 'x'.repeat(256) },
        now,
      )
      .catch(error => error)
    expect(tooLong).toBeInstanceOf(DatabaseError)
    // It is there, whether or not it has changed.
    for (const key of ['k', 'k']) expect(await storage.merchants.setWebhookKey(merchantId, key)).toBe(true)
    expect(await storage.merchants.setWebhookKey('nobody', 'k')).toBe(false)
  }

  describe('other sessions mean the same', () => {
    test.each(HARMLESS)('%s', async setting => {
      await everyUse(byPool({}, setting))
      await everyUse(byKysely({}, setting))
    })

    test.each([
      { dateStrings: true },
      { timezone: '+09:00' },
      { supportBigNumbers: true, bigNumberStrings: true },
      { namedPlaceholders: true },
      { multipleStatements: true },
      { resetOnRelease: true },
      { flags: ['-FOUND_ROWS'] },
      { jsonStrings: true, decimalNumbers: true, stringifyObjects: true },
      {
        typeCast: (field: { type: string; string(): string | null }, next: () => unknown) =>
          field.type === 'TINY' ? field.string() === '1' : next(),
      },
    ])('a pool with %o', async options => {
      await everyUse(byPool(options as mysql.PoolOptions))
      await everyUse(byKysely(options as mysql.PoolOptions))
    })
  })

  test('a pool of Tillkit’s own is set right, whatever its address says', async () => {
    const parameters = [
      'charset=latin1&timezone=%2B09:00&dateStrings=true&flags=-FOUND_ROWS,IGNORE_SPACE&multipleStatements=true',
      'supportBigNumbers=true&bigNumberStrings=true&decimalNumbers=true&typeCast=false&rowsAsArray=true',
      'namedPlaceholders=true&nestTables=true&stringifyObjects=true&jsonStrings=true&resetOnRelease=true',
      'debug=true&trace=false&charsetNumber=8&maxPreparedStatements=1&connectionLimit=2&connectTimeout=9000',
    ]
    for (const said of parameters) {
      const storage = mysqlStorage({ uri: `${uri}?${said}`, ...PATIENT })
      ends.push(() => storage.close())
      await everyUse(storage)
    }
  })

  test.each([
    ['', [true, 10_000]],
    ['?keepAliveInitialDelay=2000', [true, 2000]],
    ['?enableKeepAlive=false', undefined],
  ])('whether a silent server is asked if it is there is as the address says: %s', async (said, asked) => {
    const setKeepAlive = vi.spyOn(Socket.prototype, 'setKeepAlive')
    const storage = mysqlStorage({ uri: `${uri}${said}`, ...PATIENT })
    ends.push(() => storage.close())
    await storage.merchants.get(merchantId)
    expect(setKeepAlive.mock.calls[0]).toEqual(asked)
    setKeepAlive.mockRestore()
  })

  test('how long a connection may take is as the address says', async () => {
    let connections = 0
    const silent = createServer(() => {
      connections += 1
    })
    await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    const storage = mysqlStorage({
      uri: `mysql://shop@127.0.0.1:${port}/shop?connectTimeout=50`,
      ...PATIENT,
      // Less than it would take of itself.
      readTimeoutSeconds: 4,
    })
    await expect(storage.merchants.get(merchantId)).rejects.toThrow(DatabaseError)
    expect(connections).toBeGreaterThan(1)
    await storage.close()
    silent.close()
  })

  test('what lies idle for so long that a server may have ended it is used again', async () => {
    const storage = mysqlStorage({ uri, idleTransactionTimeoutSeconds: 1, ...PATIENT })
    ends.push(() => storage.close())
    for (let n = 0; n < 2; n++) {
      const started = await Promise.all([1, 2, 3].map(() => storage.payments.start(attempt(), NOW)))
      const { id } = started[0]?.payment ?? { id: 0 }
      expect((await storage.payments.get({ merchantId, id }))?.id).toBe(id)
      if (n === 0) await new Promise(resolve => setTimeout(resolve, 3000))
    }
  })

  test.each([
    ['has not been had', 5],
    ['is still waited for', 0.5],
  ])(
    'who looks for what is due, and finds nothing, hears no error while a backup has the tables read-locked, and the lock %s',
    async (_, writeTimeoutSeconds) => {
      const storage = mysqlStorage({ uri, writeTimeoutSeconds, lockTimeoutSeconds: 1 })
      const none = () => storage.deliveries.claim({ now: NOW, leaseUntil: NOW, limit: 10 })
      // A busy machine may take longer than that to make a connection.
      while (!(await none().catch(() => null))) {}
      const backup = await openSession({ dialect: 'mysql', uri })
      await backup.run(`lock tables ${backup.table('deliveries')} read`)
      const now = performance.now.bind(performance)
      // Later than the server is believed to take writes without being asked.
      const time = vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000)
      ends.push(async () => {
        time.mockRestore()
        await backup.close()
        await storage.close()
      })
      expect(await none()).toEqual([])
    },
  )

  test('a session is looked at once, by one round trip', async () => {
    const one = pool({ connectionLimit: 1 })
    const db = new Kysely({ dialect: new MysqlDialect({ pool: one }) })
    const looked = () => sent.filter(sql => sql.includes('@@sql_mode')).length
    for (const storage of [
      kyselyStorage(db, 'mysql', PATIENT),
      kyselyStorage(db, 'mysql', { tablePrefix: 'tillkit_', ...PATIENT }),
    ]) {
      for (let n = 0; n < 3; n++) await storage.payments.list(merchantId, {}, ALL)
    }
    for (let n = 0; n < 3; n++) {
      await db
        .transaction()
        .execute(trx => kyselyStorage(trx, 'mysql', PATIENT).payments.start(attempt(), NOW))
    }
    expect(looked()).toBe(1)
    const storage = mysqlStorage({ pool: one, ...PATIENT })
    for (let n = 0; n < 3; n++) {
      await storage.payments.list(merchantId, {}, ALL)
      await storage.transaction(inside => inside.payments.start(attempt(), NOW))
    }
    expect(looked()).toBe(2)
  })

  test('a connection is asked once whether its server is one of a cluster, also where its pool resets it', async () => {
    const storage = byPool({ connectionLimit: 1, resetOnRelease: true })
    for (let n = 0; n < 3; n++) await storage.payments.list(merchantId, {}, ALL)
    expect(sent.filter(text => text.includes('wsrep_on'))).toHaveLength(1)
  })
})
