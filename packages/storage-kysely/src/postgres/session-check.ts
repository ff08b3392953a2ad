import { DatabaseError } from '@tillkit/storage'
import { CompiledQuery } from 'kysely'
import type { Execute } from '../connections/connections.ts'
import type { Placed } from '../schema/in-place.ts'

interface Found {
  encoding: string
  place: string | null
}

/**
 * Refuses a session in which the same statements mean something else: text in another encoding, or, where the host names
 * no schema, other tables than earlier sessions found. One round trip, once for each connection: again where it
 * resolves to false, since there are no tables yet.
 *
 * @param table - one of the tables, where the search path says in which schema it is.
 * @param placed - hears which schema that is.
 */
export function sessionCheck(
  table: string | undefined,
  placed: Placed = () => {},
): (execute: Execute) => Promise<boolean> {
  const found = `current_setting('client_encoding') as encoding`
  const place =
    table === undefined
      ? 'null as place'
      : `(select nspname from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
          where c.oid = to_regclass('"${table}"')) as place`
  const query = CompiledQuery.raw(`select ${found}, ${place}`) as CompiledQuery<Found>
  let first: string | undefined

  return async execute => {
    const [session] = (await execute(query)).rows
    if (!session) return true
    if (session.encoding !== 'UTF8') {
      throw new DatabaseError(
        `the session's client_encoding is ${session.encoding}: set client_encoding to UTF8 for the pool's connections`,
      )
    }
    if (session.place === null) return table === undefined
    first ??= session.place
    placed(first)
    if (session.place !== first) {
      throw new DatabaseError(
        `the search paths of the pool's connections lead to tables in ${first} and in ${session.place}: name the one with the option schema`,
      )
    }
    return true
  }
}
