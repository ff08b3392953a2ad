import { instant } from '@tillkit/domain'
import { CompiledQuery, sql } from 'kysely'
import type { Execute } from '../connections/connections.ts'
import { checkSession } from '../sqlite/session-check.ts'
import { fileTime } from '../time/file-time.ts'
import type { Dialect } from './dialect.ts'
import { errorCode } from './error-code.ts'
import { unseenValues } from './unseen-values.ts'

/** What SQLite says of a file that it may not write, or could not when it was opened. */
export const isReadOnly = (error: unknown): boolean => errorCode(error).startsWith('SQLITE_READONLY')

/** SQLite compares text byte for byte, has no dates, and lets one transaction write at a time. */
export const sqlite: Dialect = {
  name: 'sqlite',
  types: {
    text: () => 'text',
    integer: 'integer',
    flag: 'integer',
    date: 'text',
    instant: 'text',
    json: 'text',
  },
  partialIndexes: true,
  oneWriter: true,
  composes: false,
  updatesReturn: true,
  isolation: null,
  flag: Number,
  time: value => value,
  orNow: given => sql<string>`${given}`,
  sharedTime: () => instant(fileTime()),
  timeOf: column => sql<string>`${column}`,
  secondOf: column => sql<string>`${column}`,
  flagOf: column => sql`coalesce(${column}, 2)`,
  jsonText: column => sql<string>`${column}`,
  plugin: unseenValues(),
  sessionCheck: () => checkSession,
  isInTransaction,
  isDuplicate: error => /^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)$/.test(errorCode(error)),
  isMissingTable: error => errorCode(error) === 'SQLITE_ERROR' && /no such table/.test(`${error}`),
  isTransient: error => errorCode(error).startsWith('SQLITE_BUSY'),
  isLockWait: () => false,
  // What a disk that fails while it is synced has kept, nobody knows.
  isAnswer: error => !errorCode(error).startsWith('SQLITE_IOERR'),
  isLost: () => false,
  explain: error => MEANINGS.find(([, pattern]) => pattern.test(`${errorCode(error)} ${error}`))?.[0],
  quotes: error => !QUOTES_NONE.test(errorCode(error)) && errorCode(error).startsWith('SQLITE_'),
}

const foreignKeys = CompiledQuery.raw('pragma foreign_keys')
const SWITCHED = [0, 1].map(on => CompiledQuery.raw(`pragma foreign_keys = ${on}`))

/** No statement says so; but in a transaction this switch stays as it is. */
async function isInTransaction(execute: Execute): Promise<boolean> {
  const isOn = async () => Number(Object.values((await execute(foreignKeys)).rows[0] ?? [0])[0])
  const before = await isOn()
  await execute(SWITCHED[1 - before] as CompiledQuery)
  if ((await isOn()) === before) return true
  await execute(SWITCHED[before] as CompiledQuery)
  return false
}

const MEANINGS: [meaning: string, RegExp][] = [
  ['the database file cannot be written', /^SQLITE_(READONLY|PERM|AUTH)/],
  ['the disk of the database is full', /^SQLITE_FULL/],
  ['the database file cannot be opened', /^SQLITE_CANTOPEN/],
  ['the database file is damaged', /^SQLITE_(CORRUPT|NOTADB)/],
  ['the disk of the database fails', /^SQLITE_IOERR/],
  [
    'the Tillkit tables are of another version, call storage.migrate()',
    /^SQLITE_ERROR .*no (such column|column named)/,
  ],
]

/** Its own words quote nothing; those of a trigger or of a function may. */
const QUOTES_NONE = /^SQLITE_(?!CONSTRAINT_TRIGGER|MISMATCH)/
