import type { SelectQueryBuilder } from 'kysely'
import { columnsOf } from '../schema/columns.ts'
import { MERCHANT_COLUMNS, type MerchantRow } from '../schema/rows/rows.ts'
import type { Tables } from '../schema/tables.ts'
import type { Database } from '../session/database.ts'

/** Merchants as `toMerchant` reads them. */
export function selectMerchants({
  builder,
  dialect,
}: Pick<Database, 'builder' | 'dialect'>): SelectQueryBuilder<Tables, 'merchants', MerchantRow> {
  const merchants = builder.selectFrom('merchants').select(columnsOf(dialect, 'merchants', MERCHANT_COLUMNS))
  const suspendedAt = columnsOf(dialect, 'ledgers', ['suspended_at'])
  // Of a join PostgreSQL makes a merge, which begins with the first ledger wherever a page of merchants begins.
  const whole =
    dialect.composes && !dialect.distributed
      ? merchants.select(eb =>
          eb
            .selectFrom('ledgers')
            .select(suspendedAt)
            .whereRef('ledgers.merchant_id', '=', 'merchants.id')
            .as('suspended_at'),
        )
      : merchants.leftJoin('ledgers', 'ledgers.merchant_id', 'merchants.id').select(suspendedAt)
  return whole as unknown as SelectQueryBuilder<Tables, 'merchants', MerchantRow>
}
