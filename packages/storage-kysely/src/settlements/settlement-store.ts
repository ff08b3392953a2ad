import type { SettlementStore } from '@tillkit/storage'
import type { Database } from '../session/database.ts'
import { findMeant } from './find-meant.ts'
import { importedStatements } from './imported-statements.ts'
import { listStatements } from './list-statements.ts'
import { settleEach } from './settle-each.ts'
import { unsettledPayments } from './unsettled-payments.ts'

export function settlementStore(database: Database): SettlementStore {
  return {
    ...importedStatements(database),
    find: findMeant(database),
    settle: settleEach(database),
    unsettled: unsettledPayments(database),
    ...listStatements(database),
  }
}
