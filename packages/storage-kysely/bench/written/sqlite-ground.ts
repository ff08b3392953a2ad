import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { sqliteStorage } from '../../src/sqlite/index.ts'
import type { Ground } from './ground.ts'

export async function sqliteGround(): Promise<Ground> {
  const folder = await mkdtemp(join(tmpdir(), 'tillkit-bench-'))
  const file = join(folder, 'till.db')
  const db = new Database(file)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = OFF')
  const storage = sqliteStorage({ file })
  await storage.migrate()
  const row = db.prepare<unknown[], { version: string }>('select sqlite_version() as version').get()
  return {
    version: `SQLite ${row?.version}`,
    dialect: 'sqlite',
    storage,
    run: async statement => void db.exec(statement),
    async sizes() {
      const rows = db
        .prepare<unknown[], { name: string; bytes: number }>(
          `select name, sum(pgsize) as bytes from dbstat where name like '%tillkit%' group by name`,
        )
        .all()
      return new Map(rows.map(({ name, bytes }) => [name, bytes]))
    },
    async close() {
      db.close()
      await storage.close()
      await rm(folder, { recursive: true })
    },
  }
}
