import type { SelectQueryBuilder } from 'kysely'
import type { Database } from './database.ts'

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
