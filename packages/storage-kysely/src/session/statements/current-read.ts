import type { SelectQueryBuilder } from 'kysely'
import type { Execute } from '../../connections/connections.ts'
import type { Database } from '../database.ts'

/**
 * A read of what is committed and there now, also in a host's transaction that began before it was written: MySQL's repeatable
 * reads show the past to all but those that lock. Transactions of the store's own are at READ COMMITTED and need no lock for it;
 * PostgreSQL refuses such a transaction as soon as it takes the merchant's lock.
 */
export function currentRead<Known, Table extends keyof Known, Row>(
  { dialect, ofHost }: Pick<Database, 'dialect' | 'ofHost'>,
  query: SelectQueryBuilder<Known, Table, Row>,
): SelectQueryBuilder<Known, Table, Row> {
  return seesThePast({ dialect, ofHost }) ? query.forUpdate() : query
}

/** Whether a plain read may leave out what is committed by now, and what the transaction's own ledger counts. */
export const seesThePast = ({ dialect, ofHost }: Pick<Database, 'dialect' | 'ofHost'>): boolean =>
  ofHost && dialect.name === 'mysql'

/**
 * ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION, which MariaDB and MySQL say of a read too that locks as a write does, and
 * ER_TABLEACCESS_DENIED_ERROR, which MySQL says of it to a user who may only read.
 */
const MAY_NOT_WRITE = new Set([1792, 1142])

/**
 * The same reads where the host's transaction, or its user, may not write: those that lock do so as readers. Elsewhere they do not,
 * as two that then write what they have read would wait for each other.
 */
export function alsoWhereReadOnly(execute: Execute): Execute {
  return async query => {
    try {
      return await execute(query)
    } catch (error) {
      const refused = MAY_NOT_WRITE.has(Number((error as { errno?: unknown } | null)?.errno))
      if (!refused || !query.sql.endsWith(' for update')) throw error
      return execute({ ...query, sql: query.sql.replace(/ for update$/, ' lock in share mode') })
    }
  }
}
