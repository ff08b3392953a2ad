import { setTimeout as sleep } from 'node:timers/promises'
import { ownMariadb, PATIENT } from '@tillkit/servers'
import mysql from 'mysql2/promise'
import { mysqlStorage } from '../../src/mysql/index.ts'
import { type Ground, MERCHANTS, RETRIED } from './ground.ts'

const at = `timestampadd(microsecond, 250000 * seq, '2026-01-01 00:00:00')`
const failed = 'timestampadd(second, -60, at)'

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
    `(select concat('m', seq % ${MERCHANTS}) as merchant_id, seq div ${MERCHANTS} + 1 as payment_id, seq as n, ${at} as at
      from seq_${first}_to_${last}) as given`
  const given = (first: number, last: number) =>
    `${numbers(first, last)} straight_join tillkit_deliveries as d
      on d.merchant_id = given.merchant_id and d.payment_id = given.payment_id`
  const isRetried = `n % ${RETRIED} = 0`
  const attempts = (number: number, first: number, last: number) =>
    client.query(`insert into tillkit_delivery_attempts (merchant_id, payment_id, number, began_at, status, milliseconds, error, answer)
      select merchant_id, payment_id, ${number}, ${number === 1 ? `${failed}, 503, 12, 'HTTP 503', 'later'` : `at, 200, 12, null, 'ok'`}
        from ${numbers(first, last)} where ${isRetried}`)
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
          (merchant_id, payment_id, state, attempts, fence, last_attempt_at, last_status, created_at, lone_milliseconds, lone_answer)
        select merchant_id, payment_id, 'delivered', if(${isRetried}, 2, 1), 2, at, 200, at,
          if(${isRetried}, null, 12), if(${isRetried}, null, 'ok') from ${numbers(first, last)}`)
      for (const number of [1, 2]) await attempts(number, first, last)
    },
    async deliver(first, last) {
      await client.query(`insert into tillkit_deliveries
          (merchant_id, payment_id, state, attempts, fence, next_attempt_at, created_at)
        select merchant_id, payment_id, 'pending', 0, 1, timestampadd(second, 46, at), at from ${numbers(first, last)}`)
      await client.query(`update ${given(first, last)} set d.attempts = 1, d.fence = d.fence + 1, d.next_attempt_at = at,
        d.last_attempt_at = ${failed}, d.last_status = 503, d.last_error = 'HTTP 503' where ${isRetried}`)
      await attempts(1, first, last)
      await client.query(
        `update ${given(first, last)} set d.next_attempt_at = timestampadd(second, 46, at), d.fence = d.fence + 1 where ${isRetried}`,
      )
      await client.query(`update ${given(first, last)} set d.state = 'delivered', d.fence = d.fence + 1,
        d.next_attempt_at = null, d.last_attempt_at = at, d.last_status = 200, d.last_error = null,
        d.lone_milliseconds = if(d.attempts = 0, 12, null), d.lone_answer = if(d.attempts = 0, 'ok', null), d.attempts = d.attempts + 1`)
      await attempts(2, first, last)
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
