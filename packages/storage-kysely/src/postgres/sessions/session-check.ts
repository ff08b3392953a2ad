import { DatabaseError } from '@tillkit/storage'
import { CompiledQuery } from 'kysely'
import type { Execute } from '../../connections/connections.ts'
import type { Placed } from '../../schema/in-place.ts'
import { isSet } from '../../schema/is-set.ts'
import { FUNCTIONS, type NameOptions } from '../../schema/names.ts'
import { quotedAsText } from '../../schema/quoted.ts'
import type { Flag } from '../../schema/tables.ts'
import { HIDES_ROWS, oidsOfTables } from './row-security.ts'

interface Found {
  encoding: string
  nulls: string
  least: string
  /** Tables whose rows a policy keeps from this role without a word. */
  hidden: string | null
  place: string | null
  distributed: Flag
  dates: string
  /** What the sessions by which Citus speaks to other nodes may have as this one had it when it began, and must not. */
  atNodes: string | null
}

/** Each rule: what a session must have, and what to say of one that does not. */
const RULES: [holds: (found: Found) => boolean, say: (found: Found) => string][] = [
  [
    ({ encoding }) => encoding === 'UTF8',
    ({ encoding }) =>
      `the session's client_encoding is ${encoding}: set client_encoding to UTF8 for the pool's connections`,
  ],
  [
    ({ nulls }) => nulls === 'on',
    () =>
      `the session's array_nulls is off, so that what is empty is stored as a word: set array_nulls to on for the role, or for the pool's connections`,
  ],
  [
    ({ distributed, dates }) => !isSet(distributed) || dates.startsWith('ISO'),
    ({ dates }) =>
      `the session's DateStyle is ${dates}, and the nodes of the cluster may take such dates for others: set DateStyle to ISO for the role, or for the pool's connections`,
  ],
  [
    ({ atNodes }) => atNodes === null,
    ({ atNodes }) =>
      `with ${atNodes} the nodes of the cluster may write or answer something else than was meant, or where a shard was before: set it to what it is by itself for the role and the database`,
  ],
  [
    ({ hidden }) => hidden === null,
    ({ hidden }) =>
      `row-level security hides rows of ${hidden} from the session's role, and what is hidden counts as gone: disable it there, or give the role bypassrls or a policy using (true)`,
  ],
]

/**
 * Citus has each node set its sessions to what the role has, whatever this one is set to since. There they read what is sent in SQL; in text
 * dates come back as that node has them, and are taken for others here; and in a transaction that sees no more than was there as it began, a
 * shard that was moved still is where it was.
 */
export const AT_NODES = `select string_agg(distinct name || ' = ' || value, ', ')
  from pg_settings, lateral (values (setting), (reset_val)) as had (value)
  where name in ('array_nulls', 'standard_conforming_strings') and value = 'off'
    or name = 'default_transaction_isolation' and value in ('repeatable read', 'serializable')
    or name = 'citus.enable_binary_protocol' and value = 'off'`

/** A commit that its standby has not got is known by a warning alone. */
const WARNED: (typeof RULES)[number] = [
  ({ least }) => !['error', 'fatal', 'panic'].includes(least),
  ({ least }) =>
    `the session's client_min_messages is ${least}, so that it is not told of a commit that the standby has not got: set client_min_messages to warning for the role, or for the pool's connections`,
]

/**
 * Refuses a session in which the same statements mean something else (text in another encoding, nulls that are none, rows that are hidden, or,
 * where the host names no schema, other tables than earlier sessions found), or in which what is written may be lost. One
 * round trip, once for each connection: again where it resolves to false, since there are no tables yet.
 *
 * @param names - those of the tables; left out where there are none to look for.
 * @param placed - hears how they are found.
 * @param hears - whether the server's warnings are heard, and are to be.
 */
export function sessionCheck(
  names: NameOptions | undefined,
  placed: Placed = () => {},
  hears = false,
): (execute: Execute) => Promise<boolean> {
  const { schema, tablePrefix = 'tillkit_' } = names ?? {}
  const sought = names !== undefined && schema === undefined
  const place = sought
    ? `(select nspname from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
          where c.oid = to_regclass('"${tablePrefix}ledgers"'))`
    : 'null'
  const distributed = names
    ? `to_regproc(${quotedAsText(schema, `${tablePrefix}${FUNCTIONS.record}`)}) is not null`
    : 'false'
  const hidden = names
    ? `case when current_setting('row_security') = 'on' then (select string_agg(c.relname, ', ' order by c.relname)
        from pg_class as c where c.oid = any(${oidsOfTables(names)}) and ${HIDES_ROWS}) end`
    : 'null'
  const query = CompiledQuery.raw(
    `select current_setting('client_encoding') as encoding, current_setting('array_nulls') as nulls,
      current_setting('client_min_messages') as least, current_setting('DateStyle') as dates,
      case when ${distributed} then (${AT_NODES}) end as "atNodes",
      ${hidden} as hidden, ${place} as place, ${distributed} as distributed`,
  ) as CompiledQuery<Found>
  const rules = hears ? [...RULES, WARNED] : RULES
  let first: string | undefined

  return async execute => {
    const [session] = (await execute(query)).rows
    if (!session) return true
    const broken = rules.find(([holds]) => !holds(session))
    if (broken) throw new DatabaseError(broken[1](session))
    if (!sought || session.place !== null)
      placed({ schema: session.place, distributed: isSet(session.distributed) })
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
