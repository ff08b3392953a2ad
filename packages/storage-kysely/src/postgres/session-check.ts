import { DatabaseError } from '@tillkit/storage'
import { CompiledQuery } from 'kysely'
import type { Execute } from '../connections/connections.ts'
import type { Placed } from '../schema/in-place.ts'
import { FUNCTIONS, type NameOptions } from '../schema/names.ts'
import { quoted } from '../schema/quoted.ts'

interface Found {
  encoding: string
  place: string | null
  distributed: boolean
}

/**
 * Refuses a session in which the same statements mean something else: text in another encoding, or, where the host names
 * no schema, other tables than earlier sessions found. One round trip, once for each connection: again where it
 * resolves to false, since there are no tables yet.
 *
 * @param names - those of the tables; left out where there are none to look for.
 * @param placed - hears how they are found.
 */
export function sessionCheck(
  names: NameOptions | undefined,
  placed: Placed = () => {},
): (execute: Execute) => Promise<boolean> {
  const { schema, tablePrefix = 'tillkit_' } = names ?? {}
  const sought = names !== undefined && schema === undefined
  const place = sought
    ? `(select nspname from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
          where c.oid = to_regclass('"${tablePrefix}ledgers"'))`
    : 'null'
  const distributed = names
    ? `to_regproc(${named(schema, `${tablePrefix}${FUNCTIONS.record}`)}) is not null`
    : 'false'
  const query = CompiledQuery.raw(
    `select current_setting('client_encoding') as encoding, ${place} as place, ${distributed} as distributed`,
  ) as CompiledQuery<Found>
  let first: string | undefined

  return async execute => {
    const [session] = (await execute(query)).rows
    if (!session) return true
    if (session.encoding !== 'UTF8') {
      throw new DatabaseError(
        `the session's client_encoding is ${session.encoding}: set client_encoding to UTF8 for the pool's connections`,
      )
    }
    if (!sought || session.place !== null) placed({ schema: session.place, distributed: session.distributed })
    if (session.place === null) return !sought
    first ??= session.place
    if (session.place !== first) {
      throw new DatabaseError(
        `the search paths of the pool's connections lead to tables in ${first} and in ${session.place}: name the one with the option schema`,
      )
    }
    return true
  }
}

/** The full name of a function, as text that names it whatever is in it. */
function named(schema: string | undefined, name: string): string {
  const full = schema === undefined ? quoted(name) : quoted(schema, name)
  return `'${full.replaceAll("'", "''")}'`
}
