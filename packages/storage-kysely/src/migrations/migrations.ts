import type { Migration } from './migration.ts'
import { initial } from './versions/0001-initial.ts'
import { endpointsAndAttempts } from './versions/0002-endpoints-and-attempts.ts'
import { suspensionsAndKeys } from './versions/0003-suspensions-and-keys.ts'
import { walks } from './versions/0004-walks.ts'
import { paymentBlocks } from './versions/0005-payment-blocks.ts'
import { fewerEntries } from './versions/0006-fewer-entries.ts'
import { traces } from './versions/0007-traces.ts'
import { paymentSums } from './versions/0008-payment-sums.ts'
import { settlements } from './versions/0009-settlements.ts'
import { loneAttempts } from './versions/0010-lone-attempts.ts'

export type Migrations = Record<string, Migration>

/** What the correction of a migration is noted by. */
export const correctionOf = (migration: string) => `${migration}-correction`

/** All migrations, in order. One that has been released never changes. */
export const MIGRATIONS: Migrations = {
  '0001-initial': initial,
  '0002-endpoints-and-attempts': endpointsAndAttempts,
  '0003-suspensions-and-keys': suspensionsAndKeys,
  '0004-walks': walks,
  '0005-payment-blocks': paymentBlocks,
  '0006-fewer-entries': fewerEntries,
  '0007-traces': traces,
  '0008-payment-sums': paymentSums,
  '0009-settlements': settlements,
  '0010-lone-attempts': loneAttempts,
}
