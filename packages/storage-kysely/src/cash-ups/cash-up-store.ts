import type { CashUpStore } from '@tillkit/storage'
import type { Database } from '../session/database.ts'
import { createCashUp } from './create-cash-up.ts'
import { listCashUpPayments } from './list-cash-up-payments.ts'
import { listCashUps } from './list-cash-ups.ts'

export function cashUpStore(database: Database): CashUpStore {
  return {
    create: createCashUp(database),
    list: listCashUps(database),
    payments: listCashUpPayments(database),
  }
}
