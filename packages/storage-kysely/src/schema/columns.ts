import { type AliasedExpression, type RawBuilder, type SelectType, sql } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import { PAYMENT_FLAGS } from './rows/payment-row.ts'
import type { Tables } from './tables.ts'

type Column<Table extends keyof Tables> = keyof Tables[Table] & string

/** Columns to select, each under its own name. */
export type Columns<Table extends keyof Tables, Name extends Column<Table>> = {
  [One in Name]: AliasedExpression<SelectType<Tables[Table][One]>, One>
}[Name][]

const TIMES = new Set([
  'last_date',
  'created_at',
  'next_attempt_at',
  'last_attempt_at',
  'began_at',
  'failing_since',
  'paused_at',
  'suspended_at',
  'expires_at',
  'started_at',
  'finished_at',
  'previous_webhook_key_until',
])

/** Columns of `table` as `rows.ts` reads them: no driver gets to make its own object of a date or of JSON. */
export function columnsOf<Table extends keyof Tables, Name extends Column<Table>>(
  { timeOf, secondOf, jsonText, flagOf }: Dialect,
  table: Table,
  names: readonly Name[],
  alias: string = table,
): Columns<Table, Name> {
  const readAs = (name: string, column: RawBuilder<unknown>) => {
    if (name === 'date') return secondOf(column)
    if (TIMES.has(name)) return timeOf(column)
    if (PAYMENT_FLAGS.has(name)) return flagOf(column)
    return name === 'extra' ? jsonText(column) : column
  }
  return names.map(name => {
    const column = sql.ref(`${alias}.${name}`)
    return readAs(name, column).as(name)
  }) as unknown as Columns<Table, Name>
}
