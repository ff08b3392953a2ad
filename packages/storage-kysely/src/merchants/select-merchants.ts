import type { SelectQueryBuilder } from 'kysely'
import { columnsOf } from '../schema/columns.ts'
import { MERCHANT_COLUMNS, type MerchantRow } from '../schema/rows.ts'
import type { Tables } from '../schema/tables.ts'
import type { Database } from '../session/database.ts'

/** Merchants as `toMerchant` reads them. */
export function selectMerchants({
  builder,
  dialect,
}: Pick<Database, 'builder' | 'dialect'>): SelectQueryBuilder<Tables, 'merchants', MerchantRow> {
  return builder
    .selectFrom('merchants')
    .leftJoin('ledgers', 'ledgers.merchant_id', 'merchants.id')
    .select(columnsOf(dialect, 'merchants', MERCHANT_COLUMNS))
    .select(columnsOf(dialect, 'ledgers', ['suspended_at'])) as unknown as SelectQueryBuilder<
    Tables,
    'merchants',
    MerchantRow
  >
}
