import { sql } from 'kysely'
import type { Dialect } from './dialect.ts'
import { errorCode, isBrokenConnection } from './error-code.ts'

/** ER_LOCK_WAIT_TIMEOUT, ER_LOCK_DEADLOCK (a conflict on Galera too), ER_CHECKREAD, and a Galera node not ready yet. */
const TRANSIENT = new Set([1205, 1213, 1020, 1047])

/** Too many connections, a shutdown, a killed or idle connection. */
const LOST = new Set([1040, 1053, 1080, 1152, 1158, 1159, 1160, 1161, 1927, 4031])

const LOST_WORDS = /closed state|Connection lost|server has gone away/

/** MySQL and MariaDB. */
export const mysql: Dialect = {
  name: 'mysql',
  types: {
    text: length => `varchar(${length})`,
    integer: 'bigint',
    flag: 'boolean',
    date: 'datetime',
    instant: 'datetime(3)',
    json: 'json',
  },
  partialIndexes: false,
  oneWriter: false,
  composes: false,
  isolation: 'read committed',
  flag: Number,
  time: value => `${value.slice(0, 10)} ${value.slice(11, -1)}`,
  timeText: column => sql<string>`cast(${column} as char)`,
  jsonText: column => sql<string>`cast(${column} as char)`,
  isDuplicate: error => errorNumber(error) === 1062,
  isMissingTable: error => errorNumber(error) === 1146,
  isTransient: error => TRANSIENT.has(errorNumber(error)),
  isLost: error =>
    LOST.has(errorNumber(error)) ||
    errorCode(error) === 'PROTOCOL_CONNECTION_LOST' ||
    isBrokenConnection(error) ||
    (error instanceof Error && LOST_WORDS.test(error.message)),
}

function errorNumber(error: unknown): number {
  return Number((error as { errno?: unknown } | null)?.errno)
}
