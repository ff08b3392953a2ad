import type { Storage } from '@tillkit/storage'
import { storageConformance } from '@tillkit/storage/conformance'
import { Kysely, MysqlDialect, PostgresDialect } from 'kysely'
import mysql from 'mysql2'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { kyselyStorage } from '../../src/index.ts'
import { mysqlStorage } from '../../src/mysql/index.ts'
import { postgresStorage } from '../../src/postgres/index.ts'
import { type Address, PATIENT, placeOf, storageAt } from '../engines/address.ts'
import type { Engine } from '../engines/engine.ts'
import { overEveryServer, overMysql, overPostgres } from '../engines/index.ts'
import { everyAnswer } from './every-answer.ts'

type Parser = (text: string) => unknown
type Of<Name> = Extract<Address, { dialect: Name }>

/** As libraries for decimals hand them out. */
class Decimal {
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }
  toString(): string {
    return this.#text
  }
  toJSON(): string {
    return `decimal ${this.#text}`
  }
}

const asText: Parser = text => text
const asDecimal: Parser = text => new Decimal(text)

const [BOOL, INT8, INT2, INT4, NUMERIC] = [16, 20, 21, 23, 1700]

/** What hosts have pg make of values by their types. */
const PARSERS: [said: string, parsers: Record<number, Parser>][] = [
  ['bigints', { [INT8]: BigInt }],
  ['bigints of every whole number', { [INT8]: BigInt, [INT4]: BigInt, [INT2]: BigInt }],
  ['decimals', { [NUMERIC]: asDecimal }],
  ['decimals of every number', { [INT8]: asDecimal, [INT4]: asDecimal, [NUMERIC]: asDecimal }],
  ['numbers', { [INT8]: Number, [NUMERIC]: Number }],
  ['flags as text', { [BOOL]: asText }],
  ['flags as 0 and 1', { [BOOL]: text => (text === 't' ? 1 : 0) }],
  ['whole numbers and flags as text', { [BOOL]: asText, [INT2]: asText, [INT4]: asText }],
]

const typesOf = (parsers: Record<number, Parser>) =>
  ({
    getTypeParser: (type: number, format: 'text') => parsers[type] ?? pg.types.getTypeParser(type, format),
  }) as pg.CustomTypesConfig

const AS_TEXT = { getTypeParser: () => asText } as unknown as pg.CustomTypesConfig

interface Field {
  type: string
  string(): string | null
}
type TypeCast = (field: Field, next: () => unknown) => unknown

const castOf =
  (type: string, parser: Parser): TypeCast =>
  (field, next) => {
    if (field.type !== type) return next()
    const text = field.string()
    return text === null ? null : parser(text)
  }

/** What hosts have mysql2 make of values by their types. */
const CASTS: [said: string, typeCast: TypeCast][] = [
  ['flags as text', castOf('TINY', asText)],
  ['flags as booleans', castOf('TINY', text => text === '1')],
  ['bigints', castOf('LONGLONG', BigInt)],
  ['decimals', castOf('NEWDECIMAL', asDecimal)],
  ['decimals of whole numbers', castOf('LONGLONG', asDecimal)],
  ['all as text', field => field.string()],
]

/** Tables in a database of its own, what a storage answers that is handed nothing but its address, and what ends with each test. */
function tables<Name extends Address['dialect']>(create: Engine['create']) {
  const ends: (() => Promise<unknown>)[] = []
  const made = {} as { address: Of<Name>; expected: unknown; inTransaction: unknown }
  beforeAll(async () => {
    const { address, drop } = await create()
    const storage = storageAt(address)
    await storage.migrate()
    const expected = await everyAnswer(storage)
    const inTransaction = await storage.transaction(everyAnswer)
    await storage.close()
    Object.assign(made, { address, expected, inTransaction })
    return drop
  })
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })
  return { made, ends }
}

overPostgres(({ create }) => {
  const { made, ends } = tables<'postgres'>(create)

  const poolWith = (types?: pg.CustomTypesConfig) => {
    const { connectionString } = made.address
    const pool = new pg.Pool({ connectionString, ...(types && { types }) })
    ends.push(() => pool.end())
    return pool
  }
  const place = () => placeOf(made.address)
  const byPool = (types?: pg.CustomTypesConfig, preparedStatements = true) =>
    postgresStorage({ pool: poolWith(types), preparedStatements, ...PATIENT }, place())
  const hostWith = (types?: pg.CustomTypesConfig) =>
    new Kysely<unknown>({ dialect: new PostgresDialect({ pool: poolWith(types) }) })
  const over = (db: Kysely<unknown>) => kyselyStorage(db, 'postgres', { ...place(), ...PATIENT })

  /** Has all of pg read values so until the test ends. */
  const everywhere = (parsers: Record<number, Parser>) => {
    for (const [type, parser] of Object.entries(parsers)) {
      const before = pg.types.getTypeParser(Number(type), 'text')
      pg.types.setTypeParser(Number(type), parser)
      ends.push(async () => pg.types.setTypeParser(Number(type), before))
    }
  }

  const answersOver = async (host: Kysely<unknown>) => {
    expect(await everyAnswer(over(host))).toEqual(made.expected)
    const inTransaction = await host.transaction().execute(trx => everyAnswer(over(trx)))
    expect(inTransaction).toEqual(made.inTransaction)
  }

  describe('what a storage answers is the same, whatever the host has pg make of values', () => {
    describe.each(PARSERS)('%s', (_, parsers) => {
      test('by its pool', async () => {
        const storage = byPool(typesOf(parsers))
        expect(await everyAnswer(storage)).toEqual(made.expected)
        expect(await storage.transaction(everyAnswer)).toEqual(made.inTransaction)
        expect(await everyAnswer(byPool(typesOf(parsers), false))).toEqual(made.expected)
      })

      test('by its Kysely', () => answersOver(hostWith(typesOf(parsers))))

      test('everywhere in its process', async () => {
        everywhere(parsers)
        const own = storageAt(made.address)
        ends.push(() => own.close())
        expect(await everyAnswer(own)).toEqual(made.expected)
        expect(await own.transaction(everyAnswer)).toEqual(made.inTransaction)
        expect(await everyAnswer(byPool())).toEqual(made.expected)
        await answersOver(hostWith())
      })
    })

    test('all as text', async () => {
      expect(await everyAnswer(byPool(AS_TEXT))).toEqual(made.expected)
      await answersOver(hostWith(AS_TEXT))
    })
  })

  test('of several servers that which takes writes is found, whatever the process makes of flags', async () => {
    everywhere({ [BOOL]: asText })
    const url = new URL(made.address.connectionString)
    url.searchParams.set('target_session_attrs', 'read-write')
    const storage = postgresStorage({ connectionString: url.href, ...PATIENT }, place())
    ends.push(() => storage.close())
    expect(await everyAnswer(storage)).toEqual(made.expected)
  })
})

overMysql(({ create }) => {
  const { made, ends } = tables<'mysql'>(create)

  const poolWith = (typeCast: TypeCast) => {
    const pool = mysql.createPool({ uri: made.address.uri, typeCast })
    ends.push(() => pool.promise().end())
    return pool
  }

  describe('what a storage answers is the same, whatever the host has mysql2 make of values', () => {
    test.each(CASTS)('%s', async (_, typeCast) => {
      const storage = mysqlStorage({ pool: poolWith(typeCast), ...PATIENT })
      expect(await everyAnswer(storage)).toEqual(made.expected)
      expect(await storage.transaction(everyAnswer)).toEqual(made.inTransaction)
      const host = new Kysely<unknown>({ dialect: new MysqlDialect({ pool: poolWith(typeCast) }) })
      expect(await everyAnswer(kyselyStorage(host, 'mysql', PATIENT))).toEqual(made.expected)
      const inTransaction = await host
        .transaction()
        .execute(trx => everyAnswer(kyselyStorage(trx, 'mysql', PATIENT)))
      expect(inTransaction).toEqual(made.inTransaction)
    })
  })
})

/** A host's Kysely that leaves all values as text. */
function leavingText(address: Address): Kysely<unknown> {
  if (address.dialect === 'sqlite') throw new Error('SQLite has no driver that does')
  if (address.dialect === 'mysql') {
    const pool = mysql.createPool({ uri: address.uri, typeCast: (field: Field) => field.string() })
    return new Kysely({ dialect: new MysqlDialect({ pool }) })
  }
  const { connectionString } = address
  return new Kysely({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString, types: AS_TEXT }) }),
  })
}

overEveryServer(({ create }) => {
  describe('the whole suite over a Kysely that leaves all as text', () => {
    let opened: Promise<{ storage: Storage; close(): Promise<void> }> | undefined
    const open = async () => {
      const { address, drop } = await create()
      const owner = storageAt(address)
      await owner.migrate()
      await owner.close()
      const db = leavingText(address)
      const close = async () => {
        await db.destroy()
        await drop()
      }
      return { storage: kyselyStorage(db, address.dialect, { ...placeOf(address), ...PATIENT }), close }
    }

    afterAll(async () => (await opened)?.close())

    storageConformance({ describe, test, expect }, async () => {
      opened ??= open()
      return { storage: (await opened).storage, close: async () => {} }
    })
  })
})
