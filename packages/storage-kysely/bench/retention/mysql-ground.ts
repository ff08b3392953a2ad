import { setTimeout as sleep } from 'node:timers/promises'
import { ownMariadb, PATIENT } from '@tillkit/servers'
import mysql from 'mysql2/promise'
import { mysqlStorage } from '../../src/mysql/index.ts'
import { type Ground, MERCHANTS } from './ground.ts'

const at = `timestampadd(microsecond, 250000 * seq, '2026-01-01 00:00:00')`

/** The engine cleans up by itself all the time, and cannot be kept from it. */
export async function mysqlGround(): Promise<Ground> {
  const running = {
    'innodb-flush-log-at-trx-commit': '0',
    'innodb-buffer-pool-size': '1G',
    'innodb-log-file-size': '2G',
  }
  const server = await ownMariadb({ running })
  const storage = mysqlStorage({ uri: server.url, ...PATIENT })
  await storage.migrate()
  const client = await mysql.createConnection(server.url)
  const numbers = (first: number, last: number) =>
    `(select concat('m', seq % ${MERCHANTS}) as merchant_id, seq div ${MERCHANTS} + 1 as payment_id, ${at} as at
      from seq_${first}_to_${last}) as given`
  const given = (first: number, last: number) =>
    `${numbers(first, last)} straight_join tillkit_deliveries as d
      on d.merchant_id = given.merchant_id and d.payment_id = given.payment_id`
  const attempts = (first: number, last: number) =>
    client.query(`insert into tillkit_delivery_attempts (merchant_id, payment_id, number, began_at, status, milliseconds, answer)
      select merchant_id, payment_id, 1, at, 200, 12, 'ok' from ${numbers(first, last)}`)
  const status = async (name: string) => {
    const [rows] = await client.query<mysql.RowDataPacket[]>('show global status like ?', [name])
    return Number(rows[0]?.Value)
  }
  const [rows] = await client.query<mysql.RowDataPacket[]>('select version() as version')

  return {
    version: `MariaDB ${rows[0]?.version}`,
    deliveries: storage.deliveries,
    async fill(first, last) {
      await client.query(`insert into tillkit_deliveries
          (merchant_id, payment_id, state, attempts, fence, last_attempt_at, last_status, created_at)
        select merchant_id, payment_id, 'delivered', 1, 2, at, 200, at from ${numbers(first, last)}`)
      await attempts(first, last)
    },
    async deliver(first, last) {
      await client.query(`insert into tillkit_deliveries
          (merchant_id, payment_id, state, attempts, fence, next_attempt_at, created_at)
        select merchant_id, payment_id, 'pending', 0, 0, at, at from ${numbers(first, last)}`)
      await client.query(
        `update ${given(first, last)} set d.next_attempt_at = timestampadd(second, 46, at), d.fence = d.fence + 1`,
      )
      await client.query(`update ${given(first, last)} set d.state = 'delivered', d.attempts = 1, d.fence = d.fence + 1,
        d.next_attempt_at = null, d.last_attempt_at = at, d.last_status = 200`)
      await attempts(first, last)
    },
    holdBack: async () => {},
    async settled() {
      do await sleep(1000)
      while ((await status('Innodb_history_list_length')) > 100)
    },
    async sizes() {
      const [rows] = await client.query<mysql.RowDataPacket[]>(
        `select substring_index(name, 'tillkit_', -1) as name, file_size as bytes from information_schema.innodb_sys_tablespaces
         where name like 'test/tillkit\\_deliver%' order by name`,
      )
      return rows.map(({ name, bytes }) => ({ name: `${name} and its indexes`, bytes: Number(bytes) }))
    },
    async close() {
      await client.end()
      await storage.close()
      await server.remove()
    },
  }
}
