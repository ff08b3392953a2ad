import { sql } from 'kysely'
import { sessionCheck } from '../postgres/sessions/session-check.ts'
import type { Dialect } from './dialect.ts'
import { errorCode } from './error-code.ts'
import {
  explain,
  isAnswer,
  isForAnotherSession,
  isLost,
  isReadOnly,
  isTransient,
  isUnbegun,
  lacksCharacter,
  quotes,
} from './postgres-errors.ts'

const text = sql`text collate "C"`

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
  updatesReturn: true,
  isolation: 'read committed',
  flag: value => value,
  // There is no year 0, and nothing is older than it.
  time: value => (value.startsWith('0000-') ? '-infinity' : value),
  orNow: given => sql<string>`coalesce(${given}::timestamptz, date_trunc('milliseconds', clock_timestamp()))`,
  // In seconds: as text it would be written as the session's DateStyle and time zone say, and this costs no more.
  timeOf: column => sql<string>`extract(epoch from ${column})`,
  // What `extract` gives is a numeric, which costs twice as much to make; of infinity there is no whole number.
  secondOf: column =>
    sql<string>`case when isfinite(${column}) then date_part('epoch', ${column})::bigint end`,
  // Most are false, and a page has 150 of them: of a null nothing is sent or decoded.
  flagOf: column => sql`case when ${column} is not false then coalesce(${column}::int, 2) end`,
  jsonText: column => sql<string>`${column}::text`,
  // No text that is kept holds a NUL, and the engine refuses even to compare with one: null is equal to nothing as well.
  bind: query =>
    query.parameters.some(isRefused) ? { ...query, parameters: query.parameters.map(withoutRefused) } : query,
  sessionCheck,
  isDuplicate: error => errorCode(error) === '23505',
  lacksCharacter,
  isMissingTable: error => errorCode(error) === '42P01',
  isTransient,
  isLockWait: error => errorCode(error) === '55P03',
  isAnswer,
  isLost,
  isUnbegun,
  isForAnotherServer: isReadOnly,
  isForAnotherSession,
  explain,
  quotes,
}

function isRefused(value: unknown): boolean {
  return Array.isArray(value) ? value.some(isRefused) : typeof value === 'string' && value.includes('\0')
}

function withoutRefused(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutRefused)
  return isRefused(value) ? null : value
}
