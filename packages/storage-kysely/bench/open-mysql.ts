import mysql from 'mysql2/promise'
import { mysqlStorage } from '../src/mysql/index.ts'
import { BIG, fillStatements } from './fill.ts'
import { isLastBlock } from './growth.ts'
import { mysqlByHand } from './mysql-by-hand.ts'

const given = process.env.TILLKIT_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306/test'

export async function openMysql(count: number) {
  const database = `tillkit_bench_${count}`
  const owner = await mysql.createConnection(given)
  const [found] = await owner.query<mysql.RowDataPacket[]>('show databases like ?', [database])
  await owner.query(`create database if not exists ${database}`)
  const uri = new URL(given)
  uri.pathname = `/${database}`
  const storage = mysqlStorage({ uri: uri.href })
  const pool = mysql.createPool(uri.href)
  pool.on('connection', connection => {
    connection.query('set session transaction isolation level read committed')
  })
  await storage.migrate()
  if (found.length === 0) {
    for (const statement of fillStatements('mysql', count, name => `tillkit_${name}`))
      await pool.query(statement)
  }
  const [rows] = await owner.query<mysql.RowDataPacket[]>('select version() as version')
  return {
    version: `MariaDB or MySQL ${rows[0]?.version}`,
    storage,
    byHand: mysqlByHand(pool),
    async isCounted() {
      const [rows] = await pool.query<mysql.RowDataPacket[]>(
        'select max(up_to) as id from tillkit_payment_blocks where merchant_id = ?',
        [BIG],
      )
      return isLastBlock(Number(rows[0]?.id), count)
    },
    async close() {
      await storage.close()
      await pool.end()
      if (!process.env.TILLKIT_BENCH_KEEP) await owner.query(`drop database ${database}`)
      await owner.end()
    },
  }
}
