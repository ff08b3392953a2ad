import { createTill, type Till } from '@tillkit/till'
import fc from 'fast-check'
import { Kysely, MysqlDialect } from 'kysely'
import mysql from 'mysql2'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { kyselyStorage } from '../../src/index.ts'
import { mysqlStorage } from '../../src/mysql/index.ts'
import { PATIENT, storageAt } from '../engines/address.ts'
import type { TestDatabase } from '../engines/engine.ts'
import { overMysql } from '../engines/index.ts'

const numRuns = Number(process.env.TILLKIT_RUNS ?? 30)

/** Characters that some character set writes with the byte of a quote, a backslash or the end of a statement. */
const QUOTES = ["'", '"', '\\', '`', '\x1a', '%', '\n', '-- ', '/*', '?', ':a']
const BY_LOW_BYTE = [0x27, 0x22, 0x5c, 0x60, 0x3b].flatMap(low =>
  [0x01, 0x02, 0x03, 0x20, 0x4e, 0x30, 0xff].map(high => String.fromCharCode(high * 256 + low)),
)
/** Their second byte is a backslash in GBK, Big5 and Shift JIS. */
const BY_SECOND_BYTE = ['誠', '許', '功', '表', '能', 'ソ', '縗', '\u00bf', '뽜', '𝄞', '😀']
const words = fc.constantFrom(
  ...[...QUOTES, ...BY_LOW_BYTE, ...BY_SECOND_BYTE],
  ...[
    'x',
    ' or 1=1 ',
    ' or merchant_id=',
    'victim',
    '=',
    ' union select * from tillkit_merchants',
    '#',
    '; ',
  ],
)
const hostile = fc
  .array(words, { minLength: 1, maxLength: 12 })
  .map(some => some.join('').trim())
  .filter(text => text.length > 0 && text.length < 200)

/** A filter that is always true, where `quote` ends a string. */
const injected = (quote: string) =>
  `x${quote} or merchant_id=${quote}victim${quote} or ${quote}a${quote}=${quote}b`
const KNOWN = [...QUOTES, ...BY_LOW_BYTE, ...BY_SECOND_BYTE.map(first => `${first}'`)].map(injected)

const CHARSETS = ['latin1', 'ascii', 'gbk', 'big5', 'sjis', 'utf8', 'cp1251']
const STRICT = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'

overMysql(({ create }) => {
  let database: TestDatabase
  let uri = ''
  let ends: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    database = await create()
    if (database.address.dialect !== 'mysql') throw new Error('not MySQL')
    uri = database.address.uri
    const storage = storageAt(database.address)
    await storage.migrate()
    const till = createTill({ storage })
    for (const id of ['shop', 'victim']) {
      await till.merchants.create({ id, name: id, features: { userReferences: true } })
      await till.scanCodes.create(id, { code: id })
    }
    await till.payments.start({ scanCode: 'victim', totalAmount: 100, userReference: 'secret' })
    await storage.close()
  })

  afterEach(async () => {
    for (const end of ends) await end()
    ends = []
  })

  afterAll(() => database.drop())

  const byUri = (parameters: string): Till => {
    const storage = mysqlStorage({ uri: `${uri}?${parameters}`, ...PATIENT })
    ends.push(() => storage.close())
    return createTill({ storage })
  }

  /** Pools whose connections begin with statements of the host's. */
  const hostedPool = (...statements: string[]) => {
    const pool = mysql.createPool(uri)
    pool.on('connection', connection => {
      for (const statement of statements) connection.query(statement)
    })
    ends.push(() => pool.promise().end())
    return pool
  }
  const byPool = (...statements: string[]): Till =>
    createTill({ storage: mysqlStorage({ pool: hostedPool(...statements), ...PATIENT }) })
  const byKysely = (...statements: string[]): Till => {
    const db = new Kysely({ dialect: new MysqlDialect({ pool: hostedPool(...statements) }) })
    return createTill({ storage: kyselyStorage(db, 'mysql', PATIENT) })
  }

  /** Nothing is found but what says just this; nothing else is written. */
  async function holds(till: Till, text: string): Promise<void> {
    const before = await till.payments.list('shop', { filter: { userReference: text } })
    expect(before.items.map(({ merchantId, userReference }) => [merchantId, userReference])).toEqual(
      before.items.map(() => ['shop', text]),
    )
    expect(before.total).toBe(before.items.length)
    const extra = { [text]: text }
    const payment = await till.payments.start({
      ...{ scanCode: 'shop', totalAmount: 1, userReference: text, merchantReference: text },
      ...{ deviceSerialNumber: text, attemptKey: `${text} ${before.total}`, extra },
    })
    expect(payment).toMatchObject({ userReference: text, merchantReference: text, extra })
    const after = await till.payments.list('shop', { filter: { userReference: text } })
    expect([after.total, after.items[0]]).toEqual([before.total + 1, payment])
    expect(await till.payments.findAttempt('shop', `${text} ${before.total}`)).toEqual(payment)
    expect((await till.payments.fail(payment, { failure: text })).failure).toBe(text)
    expect((await till.merchants.get(text).catch(() => null))?.id ?? text).toBe(text)
  }

  async function holdsForAll(till: Till): Promise<void> {
    for (const text of KNOWN) {
      const { items } = await till.payments.list('shop', { filter: { userReference: text } })
      expect(items.filter(({ merchantId }) => merchantId !== 'shop')).toEqual([])
    }
    for (const quote of ["'", '\\', 'ħ', 'Ŝ', '誠']) await holds(till, injected(quote))
    await fc.assert(
      fc.asyncProperty(hostile, text => holds(till, text)),
      { numRuns },
    )
    expect((await till.payments.list('victim')).total).toBe(1)
  }

  describe('no text is SQL, whatever it holds,', () => {
    test.each(CHARSETS.map(charset => `charset=${charset}`))('by a uri that says %s', parameters =>
      holdsForAll(byUri(parameters)),
    )

    test.each([
      ['a pool', byPool],
      ['a Kysely', byKysely],
    ])('by %s of the host’s without escapes by backslash', (_, hosted) =>
      holdsForAll(hosted(`set sql_mode = 'NO_BACKSLASH_ESCAPES,ANSI_QUOTES,PIPES_AS_CONCAT,${STRICT}'`)),
    )

    // A session is looked at once; what a host does to it later must not make SQL of a text either.
    test.each(['set names latin1', 'set names gbk', `set sql_mode = 'NO_BACKSLASH_ESCAPES'`])(
      'by a session that says %s after it was looked at',
      async setting => {
        const makers = [
          (pool: mysql.Pool) => mysqlStorage({ pool, ...PATIENT }),
          (pool: mysql.Pool) =>
            kyselyStorage(new Kysely({ dialect: new MysqlDialect({ pool }) }), 'mysql', PATIENT),
        ]
        for (const make of makers) {
          const pool = mysql.createPool({ uri, connectionLimit: 1 })
          ends.push(() => pool.promise().end())
          const storage = make(pool)
          const till = createTill({ storage })
          await till.payments.list('shop')
          await pool.promise().query(setting)
          for (const text of KNOWN) {
            const found = await till.payments
              .list('shop', { filter: { userReference: text } })
              .catch(refusal => {
                expect(refusal.message).toContain("make the pool with charset 'utf8mb4'")
                return { items: [] }
              })
            expect(found.items.filter(({ merchantId }) => merchantId !== 'shop')).toEqual([])
          }
        }
      },
    )
  })
})
