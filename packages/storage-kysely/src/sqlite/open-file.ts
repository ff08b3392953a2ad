import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { DatabaseError } from '@tillkit/storage'
import type { Database } from 'better-sqlite3'
import { errorCode } from '../dialects/error-code.ts'
import { notInstalled } from '../faults/not-installed.ts'
import { waitForLock } from './lock-wait.ts'

/** A log that a long reader has let grow is cut to so many bytes once it has been taken over: it would stay as long as the file is open. */
const LOG_BYTES = 16 * 1024 * 1024

/**
 * Opens a connection to an SQLite file that loses nothing it acknowledged (write-ahead log, every commit synced) and
 * never waits for a lock inside SQLite. Throws `DatabaseError` for a file that cannot be used.
 */
export async function openFile(file: string, lockWait: number): Promise<Database> {
  const { default: Sqlite } = await import('better-sqlite3').catch(error => {
    throw notInstalled('better-sqlite3', error)
  })
  let connection: Database | undefined
  try {
    const opened = new Sqlite(file, { timeout: 0 })
    connection = opened
    await waitForLock(lockWait, () => opened.pragma('journal_mode = WAL'))
    opened.pragma('synchronous = FULL')
    opened.pragma(`journal_size_limit = ${LOG_BYTES}`)
    // The first look at the file makes those beside it.
    await waitForLock(lockWait, () => opened.pragma('schema_version'))
    return opened
  } catch (error) {
    const why = reason(error)
    connection?.close()
    throw new DatabaseError(`cannot open the database ${file}: ${why}`, { cause: error })
  }
}

function reason(error: unknown): string {
  const { code = '', message } = error as { code?: string; message: string }
  if (code === 'SQLITE_NOTADB') return 'it is not an SQLite database'
  if (code.startsWith('SQLITE_CORRUPT')) return 'it is damaged'
  if (code.startsWith('SQLITE_READONLY')) return 'it cannot be written'
  if (code.startsWith('SQLITE_CANTOPEN')) return whyUnopened()
  if (code.startsWith('SQLITE_BUSY')) return 'another process holds its lock'
  if (error instanceof TypeError && /directory does not exist/.test(message))
    return 'its directory does not exist'
  return message
}

/** SQLite does not say: it is asked while what SQLite has opened so far is still open. */
function whyUnopened(): string {
  try {
    closeSync(openSync(devNull, 'r'))
  } catch (error) {
    if (['EMFILE', 'ENFILE'].includes(errorCode(error))) return 'this process may open no more files'
  }
  return 'the file cannot be opened or created'
}
