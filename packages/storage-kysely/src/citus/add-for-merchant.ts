import type { Insertable } from 'kysely'
import type { Tables } from '../schema/tables.ts'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/statements/prepared.ts'

/**
 * Adds a row to a table that is whole at every node, and which can take nothing from one that is spread over them: so the
 * merchant is looked for first. Returns how many were added: none where the merchant is unknown.
 */
export function addForMerchant<Table extends 'scan_codes' | 'api_keys'>(
  { builder, write }: Database,
  table: Table,
): (merchantId: string, row: Insertable<Tables[Table]>) => Promise<number> {
  const findMerchant = prepare((p: { merchantId: string }) =>
    builder.selectFrom('merchants').select('id').where('id', '=', p.merchantId),
  )
  return (merchantId, row) => {
    const insert = builder.insertInto(table).values(row as never)
    return write(
      async session =>
        (await session.first(findMerchant({ merchantId }))) ? session.change(insert.compile()) : 0,
      { merchantId },
    )
  }
}
