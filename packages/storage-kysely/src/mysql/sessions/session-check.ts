import { DatabaseError } from '@tillkit/storage'
import { CompiledQuery } from 'kysely'
import type { Check } from '../../connections/check-once.ts'
import { HexText } from '../../dialects/hex-text.ts'
import type { Placed } from '../../schema/in-place.ts'

interface Found {
  client: string
  link: string
  results: string | null
  mode: string
  autocommit: number | string
  completion: string
  uniques: number | string
  most: number | string
  safe: number | string
  big: number | string
  sorted: number | string
  echo: string
  place: string | null
}

/** Characters that many character sets lack, and that some write with bytes of SQL. */
const ECHO = 'ħ’𝄞\\'

/** Bytes of the longest text that rows are put in order by: a reference. */
const LONGEST = 255 * 4

const TEXT = `select @@character_set_client as client, @@character_set_connection as link,
  @@character_set_results as results, @@sql_mode as mode, @@autocommit as autocommit,
  @@completion_type as completion, @@unique_checks as uniques, @@sql_select_limit as most,
  @@sql_safe_updates as safe, @@sql_big_selects as big,
  @@max_sort_length as sorted, database() as place, ? as echo`

const otherwise = (mode: string) =>
  ['ORACLE', 'EMPTY_STRING_IS_NULL', 'HIGH_NOT_PRECEDENCE'].find(name => mode.split(',').includes(name))

/** Each rule: what a session must have, and what to say of one that does not. */
const RULES: [holds: (found: Found) => boolean, say: (found: Found) => string][] = [
  [
    ({ client, mode, echo }) => [client, mode, echo].every(value => typeof value === 'string'),
    () => `the pool gives rows in a form of its own: make it without rowsAsArray, nestTables and typeCast`,
  ],
  [
    ({ client, link, results }) => [client, link, results].every(set => set === 'utf8mb4'),
    ({ client, link, results }) =>
      `the session's character sets are ${[...new Set([client, link, results])].join(' and ')}: make the pool with charset 'utf8mb4', and where the server overrules that have its connections begin with set names utf8mb4`,
  ],
  [({ autocommit }) => Number(autocommit) === 1, () => `the session's autocommit is off: set autocommit = 1`],
  [
    ({ completion }) => completion === 'NO_CHAIN',
    ({ completion }) => `the session's completion_type is ${completion}: set completion_type = NO_CHAIN`,
  ],
  [
    ({ mode }) => /\bSTRICT_(ALL|TRANS)_TABLES\b/.test(mode),
    () =>
      `the session's sql_mode is not strict, so that it cuts text that is too long: add STRICT_ALL_TABLES to sql_mode`,
  ],
  [
    ({ mode }) => otherwise(mode) === undefined,
    ({ mode }) =>
      `the session's sql_mode changes what statements mean: take ${otherwise(mode)} out of sql_mode`,
  ],
  [
    ({ uniques }) => Number(uniques) === 1,
    () => `the session's unique_checks is off, so that keys may be written twice: set unique_checks = 1`,
  ],
  [
    ({ most }) => Number(most) >= 2 ** 32 - 1,
    ({ most }) => `the session's sql_select_limit of ${most} cuts results: set sql_select_limit = DEFAULT`,
  ],
  [
    ({ safe }) => Number(safe) === 0,
    () => `the session's sql_safe_updates refuses updates that are needed: set sql_safe_updates = 0`,
  ],
  [
    ({ big }) => Number(big) === 1,
    () =>
      `the session's max_join_size refuses reads of what has grown: set sql_big_selects = 1, which setting max_join_size turns off`,
  ],
  [
    ({ sorted }) => Number(sorted) >= LONGEST,
    ({ sorted }) =>
      `the session's max_sort_length of ${sorted} puts rows out of order by what texts begin with: set max_sort_length = 1024`,
  ],
  [
    ({ echo }) => echo === ECHO,
    () =>
      `the connection gives text back other than it was sent: make the pool by mysql2 with charset 'utf8mb4', and without a queryFormat or typeCast that changes it`,
  ],
]

/**
 * Refuses a session in which the same statements mean something else, or in which what is written may be lost. One round
 * trip, once for each connection.
 *
 * @param value - what the driver is given for a text.
 * @param placed - hears which database it is in.
 */
function checkWith(value: unknown, placed: Placed = () => {}): Check {
  const query = CompiledQuery.raw(TEXT, [value]) as CompiledQuery<Found>
  return async execute => {
    const [found] = (await execute(query)).rows
    if (!found) return true
    const broken = RULES.find(([holds]) => !holds(found))
    if (broken) throw new DatabaseError(broken[1](found))
    placed({ schema: found.place, distributed: false })
    return true
  }
}

/** For a driver that writes values into statements. */
export const checkSession = checkWith(new HexText(ECHO))

/** For one that sends them apart. */
export const preparingSessionCheck = (placed: Placed) => checkWith(ECHO, placed)
