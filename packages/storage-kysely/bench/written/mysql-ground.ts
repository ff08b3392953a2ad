import { ownMariadb } from '@tillkit/servers'
import mysql from 'mysql2'
import { mysqlStorage } from '../../src/mysql/index.ts'
import type { Ground } from './ground.ts'

/** A server of its own, so that nothing is left on another. */
export async function mysqlGround(): Promise<Ground> {
  const running = { 'innodb-flush-log-at-trx-commit': '0', 'innodb-buffer-pool-size': '512M' }
  const server = await ownMariadb({ running })
  const pool = mysql.createPool(server.url)
  const storage = mysqlStorage({ uri: server.url })
  await storage.migrate()
  const asked = pool.promise()
  const rowsOf = async (text: string) => (await asked.query<mysql.RowDataPacket[]>(text))[0]
  const [row] = await rowsOf('select version() as version')
  return {
    version: `MariaDB ${row?.version}`,
    dialect: 'mysql',
    storage,
    run: async statement => void (await asked.query(statement)),
    async sizes() {
      const tables = await rowsOf(`select table_name as name from information_schema.tables
        where table_schema = database() and table_name like 'tillkit%'`)
      await rowsOf(`analyze table ${tables.map(({ name }) => name)}`)
      const rows = await rowsOf(`select table_name, index_name, stat_value * @@innodb_page_size as bytes
        from mysql.innodb_index_stats where database_name = database() and stat_name = 'size'`)
      return new Map(
        rows.map(({ table_name, index_name, bytes }) => [
          index_name === 'PRIMARY' ? table_name : index_name,
          Number(bytes),
        ]),
      )
    },
    async close() {
      await storage.close()
      await asked.end()
      await server.remove()
    },
  }
}
