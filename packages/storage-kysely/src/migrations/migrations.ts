import { initial } from './0001-initial.ts'
import { endpointsAndAttempts } from './0002-endpoints-and-attempts.ts'
import { suspensionsAndKeys } from './0003-suspensions-and-keys.ts'
import { walks } from './0004-walks.ts'
import { paymentBlocks } from './0005-payment-blocks.ts'
import type { MigrationContext } from './migration-context.ts'

/** All migrations, in order. One that has been released never changes. */
export const MIGRATIONS: Record<string, (context: MigrationContext) => Promise<void>> = {
  '0001-initial': initial,
  '0002-endpoints-and-attempts': endpointsAndAttempts,
  '0003-suspensions-and-keys': suspensionsAndKeys,
  '0004-walks': walks,
  '0005-payment-blocks': paymentBlocks,
}
