import { idleSecondsOf } from '../../connections/limits/session-limits.ts'
import { lockWaitOf, type TimeLimits } from '../../connections/limits/time-limits.ts'

/** Whatever the role, the database, the address or the environment say. */
const MEANING = {
  client_encoding: 'UTF8',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  array_nulls: 'on',
  // What Citus sends a node is written as this session writes it, and read as the node's does: this form alone is read alike everywhere.
  DateStyle: 'iso, mdy',
  // A table whose rows a policy would hide refuses statements: what is hidden counts as gone, and a webhook of it is given up.
  row_security: 'off',
  default_transaction_isolation: 'read committed',
  // A commit that its standby has not got is known by a warning alone.
  client_min_messages: 'warning',
}

/** Short statements gain nothing from being compiled, and a planner that is wrong about one has it compiled for long. */
const SPEED = { jit: 'off' }

/**
 * What a planner may do, and what it takes that to cost, as PostgreSQL has it by itself: each statement is written so that it then goes
 * by an index. A role or a database that is set for long reports may say that a random page costs a hundred others.
 */
const PLANNING = {
  ...Object.fromEntries(
    ['seqscan', 'indexscan', 'indexonlyscan', 'bitmapscan', 'nestloop', 'hashjoin', 'mergejoin', 'sort'].map(
      name => [`enable_${name}`, 'on'],
    ),
  ),
  seq_page_cost: '1',
  random_page_cost: '4',
  cpu_tuple_cost: '0.01',
  cpu_index_tuple_cost: '0.005',
  cpu_operator_cost: '0.0025',
  effective_cache_size: '4GB',
}

/**
 * Outside a migration no statement has to read a table whole. Of a few hundred merchants a planner would: a start looks at two of their
 * tables three times, and so took a fifth longer.
 */
const BY_INDEX = { enable_seqscan: 'off' }

/**
 * For distributed tables. At a node that has the rows Citus 13.2 plans a statement of a kept plan anew each time, and keeps all
 * that it planned until the session ends: some 30 kB a statement.
 */
const PLANNED_EACH_TIME = 'plan_cache_mode=force_custom_plan'

/** What a function for them is carried out with: the node's session is one of Citus' own, and has what the role has. */
export const FUNCTION_SETTINGS = [PLANNED_EACH_TIME, `DateStyle=${MEANING.DateStyle}`]

const keeping = (mode: string) => ({
  before: [`set plan_cache_mode = ${mode}`],
  after: [`set ${PLANNED_EACH_TIME}`],
})
const [CHOSEN, ONCE] = [keeping('auto'), keeping('force_generic_plan')]

/** Around a statement of other tables, in the same message: an error in between undoes the first too. */
export const keepingPlan = (byKeys: boolean) => (byKeys ? ONCE : CHOSEN)

/** What a connection of a pool of Tillkit's own is told as well where the tables are distributed. */
export const DISTRIBUTED_SETTINGS = `set ${PLANNED_EACH_TIME}`

/** Values by the names of what is set. */
export type Settings = Record<string, string>

/**
 * A session that is still at what was given up, because of a lock, a slow disk or a node that says nothing, ends within a second. The
 * pool has opened another connection in its place by then: without an end they would fill the server.
 */
export const ENDS_WITH_CLIENT: Settings = { client_connection_check_interval: '1s' }

/** What a connection of a pool of Tillkit's own begins with. */
export function sessionSettings(limits: Required<TimeLimits>, idleSeconds: number): Settings {
  return { ...settingsOf(lockWaitOf(limits), idleSeconds * 1000), ...BY_INDEX }
}

/**
 * The same where a statement may take its time: another process may be migrating, or an index be large. Between two of them a
 * transaction rests no longer than any.
 */
export const MIGRATION_SETTINGS: Settings = {
  ...settingsOf(0, idleSecondsOf({}) * 1000),
  statement_timeout: '0',
}

/** What is set besides where the server knows it: PostgreSQL 17 does. The limit of a role would end each build anew. */
export const MIGRATION_SETTINGS_IF_KNOWN: Settings = { transaction_timeout: '0' }

function settingsOf(lockTimeout: number, idleTimeout: number): Settings {
  return {
    ...MEANING,
    ...SPEED,
    ...PLANNING,
    lock_timeout: `${Math.ceil(lockTimeout)}`,
    idle_in_transaction_session_timeout: `${Math.ceil(idleTimeout)}`,
  }
}
