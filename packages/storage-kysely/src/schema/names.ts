import type { Dialect } from '../dialects/dialect.ts'

export interface NameOptions {
  /** What all table names begin with, at most 30 of `A-Za-z0-9_-`: `tillkit_` when left out. */
  tablePrefix?: string
  /** PostgreSQL alone: the schema of the tables; the first one of the search path when left out. */
  schema?: string
}

/** Throws `TypeError` naming the first name of `given` that is not one of `known`, lest a mistyped one be passed over. */
export function assertKnown(given: object, ...known: string[]): void {
  const unknown = Object.keys(given).find(name => !known.includes(name))
  if (unknown !== undefined)
    throw new TypeError(`${unknown} is not an option; it must be one of ${known.join(', ')}`)
}

/** The options with their defaults. Throws `TypeError` that names the one that is wrong. */
export function namesOf(
  options: NameOptions,
  { name }: Dialect,
): { tablePrefix: string; schema: string | undefined } {
  assertKnown(options, 'tablePrefix', 'schema')
  const { tablePrefix = 'tillkit_', schema } = options
  if (typeof tablePrefix !== 'string' || !/^[A-Za-z0-9_-]{0,30}$/.test(tablePrefix)) {
    throw new TypeError('tablePrefix must be at most 30 of A-Za-z0-9_-')
  }
  if (schema === undefined) return { tablePrefix, schema }
  if (name !== 'postgres') throw new TypeError(`schema is an option of PostgreSQL, not of ${name}`)
  if (typeof schema !== 'string' || schema === '' || schema.length > 63 || schema.includes('\0')) {
    throw new TypeError('schema must be the name of a schema')
  }
  return { tablePrefix, schema }
}
