import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Dialect } from '../../dialects/dialect.ts'

/**
 * Whether a payment was started by this attempt key, said beside the merchant's. Where each merchant had a payment or two when the
 * table was analyzed, PostgreSQL takes any index of a merchant's for as good as that of the keys, and reads all that he has had since.
 * So there is a condition more: the index of the keys has it by itself, and asks nobody, while for any other plan each row is as dear
 * as a thousand million. It is never looked at, as each row that is found has a key.
 */
export function hasAttemptKey(
  { name, distributed }: Pick<Dialect, 'name' | 'distributed'>,
  key: Expression<unknown> | string | null,
): RawBuilder<SqlBool> {
  const is = sql<SqlBool>`attempt_key = ${key}`
  if (name !== 'postgres' || distributed) return is
  const dear = sql`(select count(*) from generate_series(1, 1000000000) as dear (n) where dear.n = id) > 0`
  return sql<SqlBool>`${is} and (attempt_key is not null or ${dear})`
}
