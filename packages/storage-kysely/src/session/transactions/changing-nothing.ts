import type { CompiledQuery, QueryCreator } from 'kysely'
import type { Tables } from '../../schema/tables.ts'

/** A write of no delivery: who takes none refuses it all the same. */
export function changingNothing(builder: Pick<QueryCreator<Tables>, 'updateTable'>): CompiledQuery {
  return builder
    .updateTable('deliveries')
    .set({ fence: 0 })
    .where('merchant_id', '=', '')
    .where('payment_id', '=', 0)
    .compile()
}
