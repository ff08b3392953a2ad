import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { ownMariadb } from '@tillkit/servers'
import mysql from 'mysql2'
import type { DatabaseStorage } from '../../src/index.ts'
import { mysqlStorage } from '../../src/mysql/index.ts'

/** A server of its own, whose tables are compressed or not. */
export interface Side {
  version: string
  storage: DatabaseStorage
  run(statement: string): Promise<void>
  /** Waits until all that was written is in its place on the disk. */
  settle(): Promise<void>
  /** Seconds of the processor that the server has had. */
  processor(): Promise<number>
  /** Bytes on the disk of each table that grows with payments. */
  onDisk(): Promise<Map<string, number>>
  close(): Promise<void>
}

/** What the kernel counts the processor's time in, a second. */
const TICKS = 100

export async function openSide(compressed: boolean, pool: string): Promise<Side> {
  const running = {
    'innodb-flush-log-at-trx-commit': '0',
    'innodb-buffer-pool-size': pool,
    'innodb-io-capacity': '20000',
    'innodb-io-capacity-max': '40000',
  }
  const server = await ownMariadb({ running })
  const storage = mysqlStorage({ uri: server.url })
  await storage.migrate({ compressed })
  const connections = mysql.createPool(server.url)
  const asked = connections.promise()
  const rowOf = async (text: string) => (await asked.query<mysql.RowDataPacket[]>(text))[0][0]
  const row = await rowOf('select version() as version, @@pid_file as file')
  const pid = (await readFile(row?.file, 'utf8')).trim()
  return {
    version: `MariaDB ${row?.version}`,
    storage,
    run: async statement => void (await asked.query(statement)),
    async settle() {
      await asked.query('set global innodb_max_dirty_pages_pct = 0, innodb_max_dirty_pages_pct_lwm = 0')
      for (;;) {
        const dirty = await rowOf(`show global status like 'Innodb_buffer_pool_pages_dirty'`)
        if (Number(dirty?.Value) === 0) break
        await sleep(20)
      }
      await asked.query('set global innodb_max_dirty_pages_pct = 90')
    },
    async processor() {
      // What stands after the name, which may hold anything.
      const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
      return (Number(fields[11]) + Number(fields[12])) / TICKS
    },
    async onDisk() {
      const [rows] = await asked.query<mysql.RowDataPacket[]>(
        `select substring_index(name, '/', -1) as name, allocated_size as bytes
          from information_schema.innodb_sys_tablespaces where name like 'test/tillkit%' order by name`,
      )
      return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]))
    },
    async close() {
      await storage.close()
      await asked.end()
      await server.remove()
    },
  }
}
