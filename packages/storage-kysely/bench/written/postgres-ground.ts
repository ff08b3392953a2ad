import { setTimeout as sleep } from 'node:timers/promises'
import { ownPostgres } from '@tillkit/servers'
import pg from 'pg'
import { postgresStorage } from '../../src/postgres/index.ts'
import type { Ground, GroundOptions } from './ground.ts'

const SETTINGS = {
  fsync: 'off',
  autovacuum: 'off',
  shared_buffers: '512MB',
  max_wal_size: '20GB',
  checkpoint_timeout: '1h',
}

/** A server of its own, whose WAL nobody else writes to and which makes no checkpoint by itself. */
export async function postgresGround({ programs }: GroundOptions): Promise<Ground> {
  const compression = programs === undefined ? 'pglz' : 'lz4'
  const server = await ownPostgres({ settings: { ...SETTINGS, wal_compression: compression }, programs })
  const pool = new pg.Pool({ connectionString: server.url })
  pool.on('error', () => {})
  const storage = postgresStorage({ pool })
  await storage.migrate()
  const rowsOf = async (text: string) => (await pool.query<Record<string, string>>(text)).rows
  const [row] = await rowsOf('show server_version')
  return {
    version: `PostgreSQL ${row?.server_version}`,
    dialect: 'postgres',
    storage,
    run: async statement => void (await pool.query(statement)),
    async sizes() {
      const rows = await rowsOf(`select relname as name, pg_relation_size(oid) as bytes from pg_class
        where relkind in ('r', 'i') and relname like 'tillkit%'`)
      return new Map(rows.map(({ name = '', bytes }) => [name, Number(bytes)]))
    },
    log: {
      compression,
      async written() {
        const [row] = await rowsOf(`select pg_current_wal_insert_lsn() - '0/0' as bytes`)
        return Number(row?.bytes)
      },
      checkpoint: async () => void (await pool.query('checkpoint')),
      async updates(table) {
        // What a connection did it tells of a second later at the latest.
        await sleep(1500)
        const [row] = await rowsOf(`select n_tup_upd as "all", n_tup_hot_upd as "heapOnly"
          from pg_stat_user_tables where relname = '${table}'`)
        return { all: Number(row?.all), heapOnly: Number(row?.heapOnly) }
      },
    },
    async close() {
      await pool.end()
      await server.remove()
    },
  }
}
