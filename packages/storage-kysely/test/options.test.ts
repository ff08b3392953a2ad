import { freePort } from '@tillkit/servers'
import SqliteDatabase from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import mysql from 'mysql2'
import mysqlPromise from 'mysql2/promise'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { DatabaseError, type DatabaseStorage, kyselyStorage, migrate } from '../src/index.ts'
import { mysqlStorage } from '../src/mysql/index.ts'
import { postgresStorage } from '../src/postgres/index.ts'
import { sqliteStorage } from '../src/sqlite/index.ts'
import { PATIENT } from './engines/address.ts'
import { overEveryServer, overPostgres } from './engines/index.ts'

// Wrong in ways that the types forbid.
type Make = (...given: unknown[]) => unknown
const [sqlite, postgres, mariadb, hosted] = [sqliteStorage, postgresStorage, mysqlStorage, kyselyStorage] as [
  Make,
  Make,
  Make,
  Make,
]

/** What throws wherever it is looked at. */
function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}
const withGetter = (name: string) =>
  Object.defineProperty({}, name, {
    enumerable: true,
    get() {
      throw new Error('hands off')
    },
  })

describe('what is wrong is named at once', () => {
  const connectionString = 'postgres://nobody@127.0.0.1/nothing'
  const uri = 'mysql://nobody@127.0.0.1/nothing'
  const db = new Kysely({
    dialect: new SqliteDialect({ database: async () => new SqliteDatabase(':memory:') }),
  })

  test('what cannot be read', async () => {
    const unreadable: [Make, unknown[], string][] = [
      [sqlite, [revoked()], 'sqliteStorage'],
      [sqlite, [withGetter('file')], 'sqliteStorage'],
      [postgres, [{ connectionString: revoked() }], 'postgresStorage'],
      [postgres, [{ connectionString }, withGetter('schema')], 'postgresStorage'],
      [mariadb, [withGetter('uri')], 'mysqlStorage'],
      [hosted, [revoked(), 'sqlite'], 'kyselyStorage'],
      [hosted, [db, 'sqlite', withGetter('tablePrefix')], 'kyselyStorage'],
      [migrate as Make, [revoked(), 'sqlite'], 'migrate'],
    ]
    for (const [make, given, name] of unreadable) {
      await expect(async () => make(...given)).rejects.toMatchObject({
        code: 'invalid_input',
        message: `what ${name} is given cannot be read`,
      })
    }
  })

  test.each([
    [sqlite, [], 'sqliteStorage takes an object with file or lockWaitSeconds, not nothing'],
    [sqlite, ['till.db'], 'sqliteStorage takes an object with file or lockWaitSeconds, not a string'],
    [sqlite, [{}], 'file must be the path of an SQLite file, not nothing'],
    [sqlite, [{ file: '' }], 'file must be the path of an SQLite file'],
    [sqlite, [{ file: 5 }], 'file must be the path of an SQLite file, not a number'],
    [sqlite, [{ file: connectionString }], 'file must be the path of an SQLite file, not a URL'],
    [sqlite, [{ path: 'till.db' }], 'path is not an option of sqliteStorage'],
    [sqlite, [{ file: 'x.db', lockWaitSeconds: '5' }], 'lockWaitSeconds must be a number of seconds'],
    [sqlite, [{ file: 'x.db' }, { schema: 'x' }], 'schema is an option of PostgreSQL, not of sqlite'],
    [postgres, [], 'postgresStorage takes an object with '],
    [postgres, [connectionString], 'not a string'],
    [postgres, [null], 'not null'],
    [postgres, [{}], 'one of connectionString and pool must be given'],
    [postgres, [{ connectionString, pool: new pg.Pool() }], 'one of connectionString and pool must be given'],
    [
      postgres,
      [{ connectionString: '' }],
      'connectionString must be a postgres:// address, and this is not a URL',
    ],
    [postgres, [{ connectionString: 'localhost/x' }], 'and this is not a URL'],
    [
      postgres,
      [{ connectionString: uri }],
      'connectionString must be a postgres:// address, and this begins with mysql:',
    ],
    [postgres, [{ connectionString: 5 }], 'connectionString must be a postgres:// address, not a number'],
    [postgres, [{ pool: {} }], 'pool must be a Pool of pg, not an object'],
    [postgres, [{ connectionString, max: 5 }], 'max is not an option of postgresStorage'],
    [
      postgres,
      [{ connectionString, preparedStatements: 'no' }],
      'preparedStatements must be true or false, not a string',
    ],
    [postgres, [{ connectionString, directToNodes: 1 }], 'directToNodes must be true or false, not a number'],
    [
      postgres,
      [{ connectionString: 'postgres://one:5432,two:port/x' }],
      'connectionString must be a postgres:// address, and this is not a URL',
    ],
    [
      postgres,
      [{ connectionString: `${connectionString}?target_session_attrs=standby` }],
      'target_session_attrs must be read-write, primary or any, as a storage writes',
    ],
    [
      postgres,
      [
        {
          connectionString,
          replica: { connectionString: 'postgres://one,two/x?target_session_attrs=any', maxLagSeconds: 1 },
        },
      ],
      'replica.connectionString must name one host',
    ],
    [postgres, [{ connectionString, replica: {} }], 'replica must have a connectionString, not nothing'],
    [
      postgres,
      [{ connectionString, replica: { connectionString, maxLagSeconds: 0 } }],
      'replica.maxLagSeconds must be a number of seconds above 0',
    ],
    [
      postgres,
      [{ connectionString, replica: { connectionString: 'postgres://one,two/x' } }],
      'replica.connectionString must name one host',
    ],
    [mariadb, [{ uri, replica: { uri: 5 } }], 'replica must have a uri, not a number'],
    [
      postgres,
      [{ connectionString }, 'tillkit_'],
      'takes an object with tablePrefix or schema, not a string',
    ],
    [postgres, [{ connectionString }, { schema: '' }], 'schema must be the name of a schema'],
    [postgres, [{ connectionString }, { tablePrefix: 'a b' }], 'tablePrefix must be'],
    [postgres, [{ connectionString }, { prefix: 'a' }], 'prefix is not an option'],
    [mariadb, [], 'mysqlStorage takes an object with '],
    [mariadb, [uri], 'not a string'],
    [mariadb, [{}], 'one of uri and pool must be given'],
    [mariadb, [{ uri, pool: mysql.createPool(uri) }], 'one of uri and pool must be given'],
    [
      mariadb,
      [{ uri: connectionString }],
      'uri must be a mysql:// or mariadb:// address, and this begins with postgres:',
    ],
    [mariadb, [{ uri: '127.0.0.1' }], 'and this is not a URL'],
    [mariadb, [{ uri: 'mysql:///test' }], 'and this names no host'],
    [mariadb, [{ uri: `${uri}?ssl-mode=REQUIRED` }], 'uri has the parameter ssl-mode, which is not known'],
    [mariadb, [{ uri: `${uri}?ssl=true` }], 'ssl in uri must be false, or what node:tls takes, in JSON'],
    [mariadb, [{ uri: `${uri}?ssl=nonsense` }], 'ssl in uri must be'],
    [mariadb, [{ uri: `${uri}?ssl=` }], 'ssl in uri must be'],
    [mariadb, [{ uri, replica: { uri: `${uri}?ssl=true` } }], 'ssl in uri must be'],
    [mariadb, [{ uri: `${uri}?connectionLimit=0` }], 'connectionLimit in uri must be a whole number from 1'],
    [mariadb, [{ uri: `${uri}?connectionLimit=-3` }], 'connectionLimit in uri must be a whole number'],
    [mariadb, [{ uri: `${uri}?connectTimeout=soon` }], 'connectTimeout in uri must be a whole number from 0'],
    [mariadb, [{ uri: `${uri}?connectTimeout=3e9` }], 'to 2147483647'],
    [mariadb, [{ uri: `${uri}?queueLimit=-1` }], 'queueLimit in uri must be a whole number from 0'],
    [
      mariadb,
      [{ uri: `${uri}?enableCleartextPlugin=no` }],
      'enableCleartextPlugin in uri must be true or false',
    ],
    [mariadb, [{ uri: `${uri}?connectAttributes=5` }], 'connectAttributes in uri must be an object in JSON'],
    [
      mariadb,
      [{ uri: 'mysql://a:b%ZZ@127.0.0.1/test' }],
      'in the password of this is a % that begins no code',
    ],
    [mariadb, [{ uri: 'mysql://a%@127.0.0.1/test' }], 'in the user name of this is a %'],
    [mariadb, [{ uri: 'mysql://a@127.0.0.1/te%st' }], 'in the database of this is a %'],
    [mariadb, [{ pool: mysqlPromise.createPool(uri) }], 'not with mysql2/promise'],
    [mariadb, [{ pool: uri }], 'pool must be a pool of mysql2'],
    [mariadb, [{ uri }, { schema: 'x' }], 'schema is an option of PostgreSQL, not of mysql'],
    [hosted, [], 'db must be a Kysely instance or an open transaction of one, not nothing'],
    [hosted, [new pg.Pool(), 'postgres'], 'not another object'],
    [hosted, ['till.db', 'sqlite'], 'not a string'],
    [hosted, [db], 'dialect must be one of sqlite, postgres, mysql'],
    [hosted, [db, 'mariadb'], 'dialect must be one of sqlite, postgres, mysql'],
    [hosted, [db, 'sqlite', null], 'not null'],
  ])('%o %j: %s', (make, given, message) => {
    const wrong = { name: 'TillError', code: 'invalid_input', message: expect.stringContaining(message) }
    expect(() => make(...given)).toThrow(expect.objectContaining(wrong))
  })

  test('and by migrate, whose promise is rejected', async () => {
    const given = migrate as (...given: unknown[]) => Promise<void>
    await expect(given()).rejects.toMatchObject({ code: 'invalid_input', message: /^db must be a Kysely/ })
    await expect(given(db)).rejects.toMatchObject({
      code: 'invalid_input',
      message: /^dialect must be one of/,
    })
  })
})

test.each([
  ['PostgreSQL', (port: number) => postgresStorage({ connectionString: `postgres://x@localhost:${port}/x` })],
  ['MariaDB', (port: number) => mysqlStorage({ uri: `mysql://x@localhost:${port}/x` })],
])('a %s that is not there is one line that says so', { timeout: 300_000 }, async (_, storageAt) => {
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
      postgresStorage({ connectionString, ...PATIENT }, { schema }),
      postgresStorage({ pool, ...PATIENT }, { schema }),
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
      await useAndClose(postgresStorage({ pool, ...PATIENT }, { schema: address.schema }))
      expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
      await pool.end()
    } else if (address.dialect === 'mysql') {
      const pool = mysql.createPool(address.uri)
      await useAndClose(mysqlStorage({ pool, ...PATIENT }))
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
