import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { sqliteStorage } from '../src/sqlite/index.ts'
import { BIG, fillStatements } from './fill.ts'
import { isLastBlock } from './growth.ts'
import { sqliteByHand } from './sqlite-by-hand.ts'

export async function openSqlite(count: number) {
  const folder = await mkdtemp(join(tmpdir(), 'tillkit-bench-'))
  const file = join(folder, 'till.db')
  const storage = sqliteStorage({ file })
  await storage.migrate()
  const db = new Database(file)
  db.pragma('synchronous = FULL')
  for (const statement of fillStatements('sqlite', count, name => `tillkit_${name}`)) db.exec(statement)
  db.pragma('wal_checkpoint(TRUNCATE)')
  const row = db.prepare<unknown[], { version: string }>('select sqlite_version() as version').get()
  return {
    version: `SQLite ${row?.version}`,
    storage,
    byHand: sqliteByHand(db),
    async isCounted() {
      const found = db
        .prepare<unknown[], { id: number | null }>(
          'select max(up_to) as id from tillkit_payment_blocks where merchant_id = ?',
        )
        .get(BIG)
      return isLastBlock(Number(found?.id), count)
    },
    async close() {
      db.close()
      await storage.close()
      await rm(folder, { recursive: true })
    },
  }
}
