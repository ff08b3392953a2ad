import { DatabaseError } from '@tillkit/storage'
import { CompiledQuery } from 'kysely'
import type { Execute } from '../connections/connections.ts'

interface Found {
  encoding: string
  place: string | null
}

/**
 * Refuses a session in which the same statements mean something else: text in another encoding, or, where the host names
 * no schema, other tables than earlier sessions found. One round trip, once for each connection.
 *
 * @param table - one of the tables, where the search path says in which schema it is.
 */
export function sessionCheck(table: string | undefined): (execute: Execute) => Promise<void> {
  const found = `current_setting('client_encoding') as encoding`
  const place =
    table === undefined
      ? 'null as place'
      : `(select relnamespace::regnamespace::text from pg_class where oid = to_regclass('"${table}"')) as place`
  const query = CompiledQuery.raw(`select ${found}, ${place}`) as CompiledQuery<Found>
  let first: string | undefined

  return async execute => {
    const [session] = (await execute(query)).rows
    if (!session) return
    if (session.encoding !== 'UTF8') {
      throw new DatabaseError(
        `the session's client_encoding is ${session.encoding}: set client_encoding to UTF8 for the pool's connections`,
      )
    }
    if (session.place === null) return
    first ??= session.place
    if (session.place !== first) {
      throw new DatabaseError(
        `the search paths of the pool's connections lead to tables in ${first} and in ${session.place}: name the one with the option schema`,
      )
    }
  }
}
