import SqliteDatabase from 'better-sqlite3'
import { beforeEach } from 'vitest'
import { type SqliteConnection, type SqliteStorage, sqliteStorage } from '../../src/sqlite/index.ts'
import { sqlite } from '../engines/sqlite.ts'

interface BesideAnother {
  readonly file: string
  /** Migrated. */
  readonly storage: SqliteStorage
  /** Another program at the same file. */
  readonly other: SqliteDatabase.Database
}

/** Opens a storage in a file of its own before each test of a file, and another connection to that. */
export function besideAnother(options: Omit<SqliteConnection, 'file'> = {}): BesideAnother {
  const opened: { -readonly [Part in keyof BesideAnother]?: BesideAnother[Part] } = {}
  beforeEach(async () => {
    const { address, drop } = await sqlite.create()
    const { file } = address as { file: string }
    const storage = sqliteStorage({ file, ...options })
    await storage.migrate()
    const other = new SqliteDatabase(file)
    Object.assign(opened, { file, storage, other })
    return async () => {
      other.close()
      await storage.close()
      await drop()
    }
  })
  return opened as BesideAnother
}
