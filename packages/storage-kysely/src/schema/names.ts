import { assertOptions, refuse } from './invalid-input.ts'

/** The functions that tables have once they are distributed, without the prefix. One that is changed gets another name. */
export const FUNCTIONS = {
  hold: 'hold_v2',
  holdAll: 'hold_all_v3',
  holdHere: 'hold_here_v2',
  start: 'start_v4',
  startOfEach: 'start_of_each_v7',
  resolve: 'resolve_v7',
  resolveOfEach: 'resolve_of_each_v8',
  find: 'find_v2',
  claim: 'claim_v5',
  record: 'record_v6',
} as const

/** The indexes that statements of MariaDB and MySQL name, without the prefix. */
export const INDEXES = {
  dates: 'payments_by_date',
  pending: 'payments_pending',
  statuses: 'payments_by_status',
  states: 'deliveries_by_state',
  due: 'deliveries_due',
} as const

/** Where the tables are, and what they are called. */
export interface NameOptions {
  /** What all table names begin with, at most 30 of `A-Za-z0-9_-`: `tillkit_` when left out. */
  tablePrefix?: string | undefined
  /** PostgreSQL alone: the schema of the tables; the first one of the search path when left out. */
  schema?: string | undefined
}

/** The options with their defaults. Throws `TillError` that names the one that is wrong. */
export function namesOf(
  options: NameOptions,
  { name }: { name: string },
): { tablePrefix: string; schema: string | undefined } {
  assertOptions(options, 'the second argument', ['tablePrefix', 'schema'])
  const { tablePrefix = 'tillkit_', schema } = options
  if (typeof tablePrefix !== 'string' || !/^[A-Za-z0-9_-]{0,30}$/.test(tablePrefix)) {
    refuse('tablePrefix must be at most 30 of A-Za-z0-9_-')
  }
  if (schema === undefined) return { tablePrefix, schema }
  if (name !== 'postgres') refuse(`schema is an option of PostgreSQL, not of ${name}`)
  if (typeof schema !== 'string' || schema === '' || schema.length > 63 || schema.includes('\0')) {
    refuse('schema must be the name of a schema')
  }
  return { tablePrefix, schema }
}
