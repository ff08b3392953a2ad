import { Kysely, MysqlDialect, type MysqlPool } from 'kysely'
import mysql from 'mysql2'
import { expect, test } from 'vitest'
import { DatabaseError, migrate } from '../../src/index.ts'
import { migrateTo } from '../../src/migrations/migrate.ts'
import { overMysql } from '../engines/index.ts'

/** What MariaDB says of an index when the disk is full that it sorts it on. */
const NOT_SORTED = Object.assign(
  new Error(`Index for table 'tillkit_deliveries' is corrupt; try to repair it`),
  {
    ...{ code: 'ER_NOT_KEYFILE', errno: 1034, sqlState: 'HY000' },
  },
)

overMysql(({ create }) => {
  test('an index that the engine has no room to sort is named, and so is where that is; it is built by the next migrate()', async () => {
    const { address, drop } = await create()
    const pool = mysql.createPool('uri' in address ? address.uri : '') as unknown as MysqlPool
    let isFull = true
    const failing: MysqlPool = {
      end: done => pool.end(done),
      getConnection: take =>
        pool.getConnection((error, connection) => {
          const query = connection.query.bind(connection) as (text: string, ...rest: unknown[]) => never
          const asked = (text: string, ...rest: unknown[]) => {
            if (!isFull || !/add +index/.test(text)) return query(text, ...rest)
            return (rest.at(-1) as (error: unknown) => void)(NOT_SORTED)
          }
          take(error, Object.assign(connection, { query: asked }) as typeof connection)
        }),
    }
    const db = new Kysely<unknown>({ dialect: new MysqlDialect({ pool: failing }) })
    await migrateTo(db, 'mysql', {}, '0001-initial')
    const refused = await migrate(db, 'mysql').catch(error => error)
    expect(refused).toBeInstanceOf(DatabaseError)
    expect(refused.message).toMatch(
      /index tillkit_deliveries_delivered of tillkit_deliveries.*disk of its tmpdir/,
    )
    expect(refused.cause).toMatchObject({ errno: 1034 })
    isFull = false
    await migrate(db, 'mysql')
    await db.destroy()
    await drop()
  })
})
