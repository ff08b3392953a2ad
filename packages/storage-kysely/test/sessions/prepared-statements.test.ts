import { ownMariadb } from '@tillkit/servers'
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
})
