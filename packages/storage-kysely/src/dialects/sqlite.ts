import { sql } from 'kysely'
import type { Dialect } from './dialect.ts'
import { errorCode } from './error-code.ts'

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
  isolation: null,
  flag: Number,
  time: value => value,
  timeText: column => sql<string>`${column}`,
  jsonText: column => sql<string>`${column}`,
  isDuplicate: error => /^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)$/.test(errorCode(error)),
  isMissingTable: error => errorCode(error) === 'SQLITE_ERROR' && /no such table/.test(`${error}`),
  isTransient: error => errorCode(error).startsWith('SQLITE_BUSY'),
  isLost: () => false,
}
