import { ownMariadb, PATIENT } from '@tillkit/servers'
import { mysqlStorage } from '@tillkit/storage-kysely/mysql'
import mysql from 'mysql2/promise'
import type { Counted, Ground } from './ground.ts'

/** A server of its own, which counts what is read of each index. */
export async function mysqlGround(): Promise<Ground> {
  const server = await ownMariadb({ running: { userstat: '1' } })
  const client = await mysql.createConnection(server.url)
  const storage = mysqlStorage({ uri: server.url })
  await storage.migrate()
  await storage.close()
  const one = async (query: string) => {
    const [rows] = await client.query<mysql.RowDataPacket[]>(query)
    return rows[0]?.value
  }
  return {
    version: `MariaDB ${await one('select version() as value')}`,
    dialect: 'mysql',
    url: server.url,
    async prepare({ urls, payments }) {
      for (let n = 0; n < urls.length; n += 1000) {
        const rows = urls
          .slice(n, n + 1000)
          .map((url, i) => [`m${n + i + 1}`, 'Shop', url, 0, 0, 0, new Date()])
        await client.query(
          `insert into tillkit_merchants (id, name, webhook_url, tips, user_references, device_lists, created_at) values ?`,
          [rows],
        )
      }
      await client.query(
        `insert into tillkit_payments (merchant_id, id, status, date, total_amount, scan_code, is_voucher, is_voucher_redemption, strict, extra)
         select m.id, seq, 'completed', utc_timestamp(), 1250, 'till-1', 0, 0, 0, '{}'
         from tillkit_merchants as m join seq_1_to_${payments}`,
      )
    },
    async fill() {
      for (const name of ['deliveries', 'delivery_attempts', 'failing_endpoints']) {
        await client.query(`truncate tillkit_${name}`)
      }
      await client.query(
        `insert into tillkit_deliveries (merchant_id, payment_id, state, attempts, fence, next_attempt_at, created_at)
         select merchant_id, id, 'pending', 0, 0, timestampadd(microsecond, -60000000 * rand(), utc_timestamp(3)), utc_timestamp(3)
         from tillkit_payments`,
      )
      await client.query('analyze table tillkit_deliveries, tillkit_payments')
    },
    async read() {
      const entries = await one(`select sum(rows_read) as value from information_schema.index_statistics
        where table_name = 'tillkit_deliveries' and index_name = 'tillkit_deliveries_due'`)
      return { entries: Number(entries), pages: 0 }
    },
    statements: async () =>
      Number(
        await one(`select variable_value as value from information_schema.global_status
          where variable_name = 'questions'`),
      ),
    async close() {
      await client.end()
      await server.remove()
    },
  }
}

export function countedMysql(uri: string): Counted {
  return { storage: mysqlStorage({ uri, ...PATIENT }), sent: () => 0 }
}
