import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'

/** A sum to be read as text: as a number some drivers would round it. */
export function sumAsText({ name }: Dialect, sum: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`cast(${sum} as ${sql.raw(name === 'mysql' ? 'char' : 'text')})`
}
