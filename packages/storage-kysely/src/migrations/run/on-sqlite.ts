import type { Kysely } from 'kysely'
import { transactionOf } from '../../connections/transaction-of.ts'
import { runAgain } from '../../session/transactions/run-again.ts'
import { doInTransaction } from './in-transaction.ts'
import { leftOfIndexes, makeNotes, makeTables, type Run, split, whatIsLeft } from './run.ts'

/** Does the migrations in one transaction: of those that write there is one at a time anyway. Who has nothing to do needs no lock. */
export async function migrateOnSqlite(db: Kysely<unknown>, run: Run): Promise<void> {
  if (db.isTransaction) return migrateIn(db, run)
  const left = await runAgain(run.dialect, true, () => leftOfIndexes(db, run, whatIsLeft))
  if (left?.length === 0) return
  await runAgain(run.dialect, true, () => transactionOf(db, run.dialect, trx => migrateIn(trx, run)))
}

async function migrateIn(trx: Kysely<unknown>, run: Run): Promise<void> {
  await makeNotes(trx, run)
  const state = await split(trx, run)
  await makeTables(trx, run, state.pending)
  await doInTransaction(trx, run, await whatIsLeft(trx, run, state))
}
