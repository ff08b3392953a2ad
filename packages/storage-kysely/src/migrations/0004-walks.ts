import { sql } from 'kysely'
import { momentOf } from '../schema/walk.ts'
import type { MigrationContext } from './migration-context.ts'

/** Indexes that the worker walks, in a form that no statistics lead astray; only PostgreSQL plans by them so far. */
export async function walks({ db, dialect, named }: MigrationContext): Promise<void> {
  if (dialect.partialIndexes) {
    await db.schema
      .createIndex(named('deliveries_resting'))
      .on(named('deliveries'))
      // All that is asked for, so that it is taken before the index of all that a merchant has in a state.
      .columns(['merchant_id', 'state', 'next_attempt_at'])
      .where(sql.ref('state'), '=', sql.lit('pending'))
      .where(sql.ref('next_attempt_at'), 'is', null)
      .execute()
  }
  if (dialect.name !== 'postgres') return
  const indexes = [
    { index: 'payments_pending', table: 'payments', moment: momentOf('pending'), key: ['merchant_id', 'id'] },
    { index: 'deliveries_due', table: 'deliveries', moment: momentOf('due'), key: [] },
    { index: 'deliveries_delivered', table: 'deliveries', moment: momentOf('delivered'), key: [] },
  ]
  for (const { index, table, moment, key } of indexes) {
    await db.schema.dropIndex(named(index)).execute()
    await db.schema
      .createIndex(named(index))
      .on(named(table))
      .expression(moment)
      .columns(key)
      .where(moment, 'is not', null)
      .execute()
  }
}
