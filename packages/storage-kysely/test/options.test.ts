import mysql from 'mysql2'
import mysqlPromise from 'mysql2/promise'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { DatabaseError, type DatabaseStorage } from '../src/index.ts'
import { mysqlStorage } from '../src/mysql/index.ts'
import { postgresStorage } from '../src/postgres/index.ts'
import { overEveryServer, overPostgres } from './engines/index.ts'
import { freePort } from './servers/own-server.ts'

// Wrong in ways that the types forbid.
const postgres = (connection: object, options?: object) => () => postgresStorage(connection, options)
const mariadb = (connection: object, options?: object) => () => mysqlStorage(connection, options)

describe('options are checked when the storage is made', () => {
  const connectionString = 'postgres://nobody@127.0.0.1/nothing'
  const uri = 'mysql://nobody@127.0.0.1/nothing'

  test.each([
    [postgres({}), 'connectionString and pool'],
    [postgres({ connectionString, pool: new pg.Pool() }), 'connectionString and pool'],
    [postgres({ connectionString: '' }), 'connectionString'],
    [postgres({ pool: {} }), 'pool'],
    [postgres({ connectionString, max: 5 }), 'max'],
    [postgres({ connectionString }, { schema: '' }), 'schema'],
    [postgres({ connectionString }, { tablePrefix: 'a b' }), 'tablePrefix'],
    [mariadb({}), 'uri and pool'],
    [mariadb({ uri: 'postgres://localhost' }), 'uri'],
    [mariadb({ pool: mysqlPromise.createPool(uri) }), 'pool'],
    [mariadb({ uri }, { schema: 'x' }), 'schema'],
    [mariadb({ uri, pool: mysql.createPool(uri) }), 'uri and pool'],
  ])('%s names %s', (make, name) => {
    expect(make).toThrow(TypeError)
    expect(make).toThrow(name)
  })
})

test.each([
  ['PostgreSQL', (port: number) => postgresStorage({ connectionString: `postgres://x@localhost:${port}/x` })],
  ['MariaDB', (port: number) => mysqlStorage({ uri: `mysql://x@localhost:${port}/x` })],
])('a %s that is not there is one line that says so', { timeout: 60_000 }, async (_, storageAt) => {
  const storage = storageAt(await freePort())
  const refused = await storage.migrate().catch(error => error)
  expect(refused).toBeInstanceOf(DatabaseError)
  expect(refused.message).toMatch(/^the database cannot be reached: .*ECONNREFUSED.*$/)
  await storage.close()
})

overPostgres(({ create }) => {
  test('migrate makes the schema that the host names', async () => {
    const { address, drop } = await create()
    if (address.dialect !== 'postgres') throw new Error('not PostgreSQL')
    const { connectionString } = address
    const schema = `${address.schema} "of" O'Brien`
    const pool = new pg.Pool({ connectionString })
    const [storage, lent] = [
      postgresStorage({ connectionString }, { schema }),
      postgresStorage({ pool }, { schema }),
    ]
    await Promise.all([storage.migrate(), lent.migrate()])
    expect(await storage.merchants.list({ limit: 1 })).toEqual([])
    await storage.close()
    await lent.close()
    // A pool that was handed in is still open.
    await pool.query(`drop schema ${pg.escapeIdentifier(schema)} cascade`)
    await pool.end()
    await drop()
  })
})

overEveryServer(({ create }) => {
  test('a pool that was handed in stays open', async () => {
    const { address, drop } = await create()
    if (address.dialect === 'postgres') {
      const pool = new pg.Pool({ connectionString: address.connectionString })
      await useAndClose(postgresStorage({ pool }, { schema: address.schema }))
      expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
      await pool.end()
    } else if (address.dialect === 'mysql') {
      const pool = mysql.createPool(address.uri)
      await useAndClose(mysqlStorage({ pool }))
      expect((await pool.promise().query('select 1 as one'))[0]).toEqual([{ one: 1 }])
      await pool.promise().end()
    }
    await drop()
  })
})

async function useAndClose(storage: DatabaseStorage): Promise<void> {
  await storage.migrate()
  expect(await storage.merchants.get('shop')).toBe(null)
  await storage.close()
}
