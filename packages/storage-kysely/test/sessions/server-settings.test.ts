import { ownMariadb, placeName } from '@tillkit/servers'
import mysql from 'mysql2'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { DatabaseError } from '../../src/index.ts'
import { mysqlStorage } from '../../src/mysql/index.ts'
import { PATIENT } from '../engines/address.ts'
import { merchantId, NOW, openShop } from '../faults/shop.ts'
import { REQUEST } from '../inspection/checked.ts'
import { askMysql, startedOr } from '../inspection/servers.ts'

const { server, why } = await startedOr(() => ownMariadb())
const overruling = await startedOr(() =>
  ownMariadb({ running: { 'character-set-client-handshake': 'OFF', 'character-set-server': 'latin1' } }),
)

/** What an administrator may have set a server to, which sessions begin with. */
describe.skipIf(!server)(`MariaDB that is set for other programs${why}`, () => {
  const url = server?.url ?? ''
  let changed = new Set<string>()
  let ends: (() => Promise<unknown>)[] = []

  async function set(settings: Record<string, number | string>): Promise<void> {
    for (const [name, value] of Object.entries(settings)) {
      changed.add(name)
      await askMysql(url, `set global ${name} = ${value}`)
    }
  }

  /** The address of a new database. */
  async function make(): Promise<string> {
    const uri = new URL(url)
    const name = placeName()
    uri.pathname = name
    await askMysql(url, `create database \`${name}\``)
    return uri.href
  }

  function open(uri: string) {
    const storage = mysqlStorage({ uri: `${uri}?connectionLimit=1`, ...PATIENT })
    ends.push(() => storage.close())
    return storage
  }

  afterEach(async () => {
    for (const end of ends) await end()
    for (const name of changed) await askMysql(url, `set global ${name} = default`)
    ends = []
    changed = new Set()
  })
  afterAll(() => server?.remove())

  test('max_sort_length = 64, fewer bytes than texts differ after: statements of one time are listed by their whole references', async () => {
    await set({ max_sort_length: 64 })
    const { settlements, migrate } = open(await make())
    await migrate()
    const references = ['a', 'b', 'c', 'd'].map(end => 'x'.repeat(60) + end)
    for (const reference of references) await settlements.begin(reference, NOW)
    const { items } = await settlements.list({ skip: 0, limit: 4 })
    expect(items.map(one => one.statementReference)).toEqual(references.toReversed())
  })

  test('sort_buffer_size = 1024, too little for any text: tables are made, and lists come in order', async () => {
    await set({ sort_buffer_size: 1024 })
    const { settlements, migrate } = open(await make())
    await migrate()
    for (const reference of ['a', 'b']) await settlements.begin(reference, NOW)
    const { items } = await settlements.list({ skip: 0, limit: 4 })
    expect(items.map(one => one.statementReference)).toEqual(['b', 'a'])
  })

  test('max_allowed_packet = 16384: what is larger is refused, and the next call on its connection, which the server has closed, is done', async () => {
    await set({ max_allowed_packet: 16_384 })
    const storage = open(await make())
    await storage.migrate()
    await openShop(storage)
    const add = (code: string, reference: string) =>
      storage.scanCodes.add({ code, merchantId, reference, createdAt: NOW })
    for (let n = 0; n < 20; n++) {
      const refused = await add(`large-${n}`, 'x'.repeat(100_000)).catch(error => error)
      expect(refused).toBeInstanceOf(DatabaseError)
      expect(refused.message).toMatch(/max_allowed_packet/)
      await add(`small-${n}`, 'x')
    }
    expect(await storage.scanCodes.list(merchantId)).toHaveLength(20)
  })

  test('a tmp_disk_table_size that is too small is no full disk, and holds no longer than it is there', async () => {
    const storage = open(await make())
    await set({ tmp_disk_table_size: 1024, tmp_memory_table_size: 0 })
    const refused = await storage.inspect?.(REQUEST).catch(error => error)
    expect(refused).toBeInstanceOf(DatabaseError)
    expect(refused.message).toMatch(/^a temporary table of the database is as large as it may be/)
    await set({ tmp_disk_table_size: 'default' })
    expect((await storage.inspect?.(REQUEST))?.engine).toBe('MariaDB')
  })

  test.each([
    ['default_storage_engine', 'MyISAM'],
    ['default_storage_engine', 'Aria'],
    ['default_storage_engine', 'MEMORY'],
    ['innodb_default_row_format', 'compact'],
  ])('%s = %s and a database of utf8mb4: all tables are made, and all of InnoDB', async (name, value) => {
    await set({ [name]: value, character_set_server: 'utf8mb4' })
    const pool = mysql.createPool(await make()).promise()
    ends.push(() => pool.end())
    await mysqlStorage({ pool: pool.pool as mysql.Pool, ...PATIENT }).migrate()
    const [tables] = await pool.query<mysql.RowDataPacket[]>('show table status')
    expect(tables.map(({ Name }) => Name)).toContain('tillkit_migrations')
    expect(new Set(tables.map(({ Engine }) => Engine))).toEqual(new Set(['InnoDB']))
  })

  test.each([`'STRICT_ALL_TABLES'`, 'default'])(
    'enforce_storage_engine = MyISAM and sql_mode = %s: no table is made that is of another engine than InnoDB',
    async sql_mode => {
      await set({ enforce_storage_engine: `'MyISAM'`, sql_mode })
      const pool = mysql.createPool(await make())
      ends.push(() => pool.promise().end())
      const refused = await mysqlStorage({ pool, ...PATIENT })
        .migrate()
        .catch(error => error)
      expect(refused).toBeInstanceOf(DatabaseError)
      expect(refused.message).toMatch(
        /^the server makes all tables of the engine MyISAM.*: set enforce_storage_engine/,
      )
      const [tables] = await pool.promise().query('show tables')
      expect(tables).toEqual([])
    },
  )
})

describe.skipIf(!overruling.server)(
  `MariaDB that overrules what a driver says of characters${overruling.why}`,
  () => {
    const uri = overruling.server?.url ?? ''
    const ends: (() => Promise<unknown>)[] = []

    afterAll(async () => {
      for (const end of ends) await end()
      await overruling.server?.remove()
    })

    const pool = (...beginning: string[]) => {
      const made = mysql.createPool({ uri, charset: 'utf8mb4' })
      made.on('connection', connection => {
        for (const statement of beginning) connection.query(statement)
      })
      ends.push(() => made.promise().end())
      return mysqlStorage({ pool: made, ...PATIENT })
    }
    const own = () => {
      const storage = mysqlStorage({ uri, ...PATIENT })
      ends.push(() => storage.close())
      return storage
    }

    test.each([
      ['a pool of Tillkit’s own', own],
      ['a pool that does what the refusal of another one says', () => pool('set names utf8mb4')],
    ])('texts come back to the letter from %s', async (name, open) => {
      const refused = await pool()
        .migrate()
        .catch(error => error)
      expect(refused.message).toMatch(/where the server overrules that.* begin with set names utf8mb4$/)
      const storage = open()
      await storage.migrate()
      await openShop(storage, name)
      expect((await storage.merchants.get(name))?.id).toBe(name)
    })
  },
)
