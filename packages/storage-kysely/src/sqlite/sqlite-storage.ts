import type { DatabaseStorage } from '../database-storage.ts'
import { loadedAtFirstUse } from '../loaded-at-first-use.ts'
import { assertOptions, kindOf, readGiven, refuse } from '../schema/invalid-input.ts'
import { type NameOptions, namesOf } from '../schema/names.ts'
import { assertNode } from './node-version.ts'

/** Which file, and how long its lock is waited for. */
export interface SqliteConnection {
  /** The file, made when it is not there; its directory must be. `:memory:` keeps everything in memory. */
  file: string
  /** How long a write waits for another process to end its own, in seconds: 10. */
  lockWaitSeconds?: number
}

/** The storage, what migrates it, and what closes it. */
export type SqliteStorage = DatabaseStorage

/**
 * A storage in an SQLite file, through better-sqlite3. Any number of processes of one machine may share the file. It is
 * opened at the first use. Writes have a connection of their own, so that reads never wait for them. Throws
 * `TillError` (`invalid_input`) for options that are wrong.
 */
export function sqliteStorage(
  connection: SqliteConnection,
  options: Omit<NameOptions, 'schema'> = {},
): SqliteStorage {
  const { file, lockWaitSeconds, names } = readGiven('sqliteStorage', () => read(connection, options))
  assertNode()
  return loadedAtFirstUse(async () => {
    const { openSqlite } = await import('./open-sqlite.ts')
    const storage = openSqlite(file, lockWaitSeconds, names)
    return () => storage
  })
}

function read(connection: SqliteConnection, options: Omit<NameOptions, 'schema'>) {
  assertOptions(connection, 'sqliteStorage', ['file', 'lockWaitSeconds'])
  const { file, lockWaitSeconds = 10 } = connection
  assertFile(file)
  if (typeof lockWaitSeconds !== 'number' || !(lockWaitSeconds >= 0)) {
    refuse('lockWaitSeconds must be a number of seconds, 0 or more')
  }
  return { file, lockWaitSeconds, names: namesOf(options, { name: 'sqlite' }) }
}

function assertFile(file: unknown): void {
  const wanted = 'file must be the path of an SQLite file'
  if (typeof file !== 'string') refuse(`${wanted}, not ${kindOf(file)}`)
  if (file === '' || file.includes('\0')) refuse(wanted)
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(file)) refuse(`${wanted}, not a URL`)
}
