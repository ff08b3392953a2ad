import { ownMariadb } from '@tillkit/servers'
import { createPool } from 'mysql2'
import mysql from 'mysql2/promise'
import { expect, test } from 'vitest'
import { mysqlStorage } from '../../src/mysql/index.ts'
import { PATIENT } from '../engines/address.ts'
import { overMariadb } from '../engines/index.ts'
import { ALL, attempt, merchantId, NOW, openShop, startedCompleted } from '../faults/shop.ts'

overMariadb(() => {
  test('prepared statements stay few, and where the server prepares none all goes on', async () => {
    const server = await ownMariadb()
    const session = await mysql.createConnection(server.url)
    const storage = mysqlStorage({ uri: `${server.url}?connectionLimit=2`, ...PATIENT })
    const prepared = async () => {
      const [rows] = await session.query<mysql.RowDataPacket[]>(
        `show global status like 'Prepared_stmt_count'`,
      )
      return Number(rows[0]?.Value)
    }
    try {
      await storage.migrate()
      await openShop(storage)
      const ids = await startedCompleted(storage, 5)
      // Lists of ever other lengths are ever other statements.
      for (let n = 1; n <= 250; n++) {
        await storage.deliveries.attempts(
          merchantId,
          Array.from({ length: n }, (_, id) => id + 1),
        )
      }
      expect(await prepared()).toBeGreaterThan(50)
      expect(await prepared()).toBeLessThanOrEqual(200)
      await session.query('set global max_prepared_stmt_count = 0')
      const hostile = `x' or 'a'='a \\' ħ`
      const apart = mysqlStorage({ uri: server.url, ...PATIENT })
      const { payment } = await apart.payments.start(attempt({ userReference: hostile }), NOW)
      expect((await apart.payments.list(merchantId, { userReference: hostile }, ALL)).items).toEqual([
        payment,
      ])
      expect((await apart.payments.list(merchantId, {}, ALL)).total).toBe(ids.length + 1)
      await apart.close()
    } finally {
      await storage.close()
      await session.end()
      await server.remove()
    }
  })

  test.each([true, false])(
    'a node of a Galera cluster, and no other server, is sent nothing to prepare: %s',
    async isNode => {
      const server = await ownMariadb()
      const pool = createPool({ uri: server.url, connectionLimit: 1 })
      if (isNode) {
        pool.on('connection', connection => {
          const query = connection.query.bind(connection) as (...given: unknown[]) => never
          connection.query = ((statement: { sql: string }, ...given: unknown[]) => {
            const asks = statement.sql?.includes('wsrep_on')
            return query(asks ? { ...statement, sql: `select 'ON' as Value` } : statement, ...given)
          }) as never
        })
      }
      const storage = mysqlStorage({ pool, ...PATIENT })
      try {
        await storage.migrate()
        await openShop(storage)
        await startedCompleted(storage, 2)
        expect((await storage.payments.list(merchantId, { status: ['completed'] }, ALL)).total).toBe(2)
        const [[row]] = await pool
          .promise()
          .query<mysql.RowDataPacket[]>(`show session status like 'Com_stmt_prepare'`)
        // The look at a session itself comes before, in no transaction.
        if (isNode) expect(Number(row?.Value)).toBeLessThan(2)
        else expect(Number(row?.Value)).toBeGreaterThan(5)
      } finally {
        await pool.promise().end()
        await server.remove()
      }
    },
  )
})
