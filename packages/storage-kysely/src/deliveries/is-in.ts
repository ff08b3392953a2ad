import type { DeliveryState } from '@tillkit/domain'
import type { RawBuilder, SqlBool } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import { isCommon, isUncommon } from '../schema/planner/uncommon.ts'

/**
 * Whether a delivery of a merchant's is in this state. Where an index leaves out what is delivered, that is found along the ids.
 */
export function isIn(dialect: Dialect, state: DeliveryState): RawBuilder<SqlBool> {
  return dialect.partialIndexes && state === 'delivered'
    ? isCommon('deliveries')
    : isUncommon(dialect, 'deliveries', state)
}
