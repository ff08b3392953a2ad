import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Dialect } from '../../dialects/dialect.ts'

/** What is walked in order of time across merchants: the column of the time, for the rows of one state alone. */
const WALKS = {
  pending: { state: 'status', is: 'pending', time: 'date' },
  due: { state: 'state', is: 'pending', time: 'next_attempt_at' },
  delivered: { state: 'state', is: 'delivered', time: 'last_attempt_at' },
} as const

type Name = keyof typeof WALKS

/** A walk along an index that holds the rows of one state in order of time. */
export interface Walk {
  /** What the index holds first, to put rows in order by. */
  time: RawBuilder<string>
  /** The rows of that state, as far as `time`. */
  upTo(time: Expression<unknown> | string, operator?: '<' | '<='): RawBuilder<SqlBool>
  /** The same, to be counted and not walked: a planner expects few, and looks into the index for all of them. */
  within(time: string): RawBuilder<SqlBool>
  /** Those from `time` on, said beside `upTo`: where rows are deleted as they are walked, what is left of them is passed over. */
  from(time: string): RawBuilder<SqlBool>
  /** Those from one time up to another: a walk that begins in the middle. */
  between(from: string, to: Expression<unknown> | string): RawBuilder<SqlBool>
}

/**
 * On PostgreSQL the index holds an expression, and what it is compared with is not known when a plan is made. So the planner
 * expects a third of the table, whatever statistics say or said, and takes the order from the index. With the state in the
 * condition it expects what it last saw, and where that was less than the limit, it reads and sorts the whole backlog.
 */
export function walk({ name }: Dialect, which: Name): Walk {
  const { state, is, time } = WALKS[which]
  if (name === 'postgres') {
    const moment = momentOf(which)
    const upTo: Walk['upTo'] = (to, operator = '<=') =>
      sql`${moment} ${sql.raw(operator)} (select ${to}::timestamptz)`
    // As a row: of what has two ends a planner expects little, and sorts it.
    const from: Walk['from'] = time => sql`(${moment}, payment_id) >= ((select ${time}::timestamptz), 0)`
    return {
      ...{ time: moment, upTo, from },
      between: (first, last) => sql`${upTo(last)} and ${from(first)}`,
      within: to => sql`${moment} between (select timestamptz '-infinity') and (select ${to}::timestamptz)`,
    }
  }
  const isDated = name === 'mysql' && which === 'pending'
  const column = sql.ref<string>(isDated ? 'pending_date' : time)
  const passed = (to: Expression<unknown> | string, operator: '<' | '<=' = '<=') =>
    sql<SqlBool>`${column} ${sql.raw(operator)} ${to}`
  const upTo: Walk['upTo'] = (to, operator) =>
    sql`${sql.ref(state)} = ${sql.lit(is)} and ${passed(to, operator)}`
  // Whatever has a `pending_date` is pending, and an index has nothing else to be counted by.
  const within = isDated ? passed : upTo
  const from: Walk['from'] = time => sql`${column} >= ${time}`
  // A state that is equal to one MariaDB looks up by itself, and goes along all of it.
  const isState =
    name === 'mysql'
      ? sql`${sql.ref(state)} >= ${sql.lit(is)} and ${sql.ref(state)} <= ${sql.lit(is)}`
      : sql`${sql.ref(state)} = ${sql.lit(is)}`
  const between: Walk['between'] = (first, last) => sql`${isState} and ${passed(last)} and ${from(first)}`
  return { time: column, upTo, within, from, between }
}

/** The time of a row in that state; null for any other. */
export function momentOf(which: Name): RawBuilder<string> {
  const { state, is, time } = WALKS[which]
  return sql`(case when ${sql.ref(state)} = ${sql.lit(is)} then ${sql.ref(time)} end)`
}
