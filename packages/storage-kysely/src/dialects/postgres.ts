import { sql } from 'kysely'
import type { Dialect } from './dialect.ts'
import { errorCode, isBrokenConnection } from './error-code.ts'

const text = sql`text collate "C"`

/** serialization_failure, deadlock_detected, lock_not_available. */
const TRANSIENT = new Set(['40001', '40P01', '55P03'])

/** Connection exceptions, shutdowns, a server that is starting up or full, a session ended for its idleness. */
const LOST = /^(08...|57P0[1235]|25P03|53300)$/

/** What pg says, without a code, of a connection that ended or was not made in time. */
const LOST_WORDS =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect)/

export const postgres: Dialect = {
  name: 'postgres',
  types: {
    text: () => text,
    integer: 'bigint',
    flag: 'boolean',
    date: 'timestamptz',
    instant: 'timestamptz',
    json: 'jsonb',
  },
  partialIndexes: true,
  oneWriter: false,
  composes: true,
  isolation: 'read committed',
  flag: value => value,
  // There is no year 0, and nothing is older than it.
  time: value => (value.startsWith('0000-') ? '-infinity' : value),
  timeText: column => sql<string>`(${column} at time zone 'UTC')::text`,
  jsonText: column => sql<string>`${column}::text`,
  // No text that is kept holds a NUL, and the engine refuses even to compare with one: null is equal to nothing as well.
  bind: query =>
    query.parameters.some(isRefused)
      ? { ...query, parameters: query.parameters.map(value => (isRefused(value) ? null : value)) }
      : query,
  isDuplicate: error => errorCode(error) === '23505',
  isMissingTable: error => errorCode(error) === '42P01',
  isDropped: error => errorCode(error) === '3F000' || errorCode(error) === '42P01',
  isTransient: error => TRANSIENT.has(errorCode(error)),
  isLost: error =>
    LOST.test(errorCode(error)) ||
    isBrokenConnection(error) ||
    (error instanceof Error && LOST_WORDS.test(error.message)),
}

function isRefused(value: unknown): boolean {
  return typeof value === 'string' && value.includes('\0')
}
