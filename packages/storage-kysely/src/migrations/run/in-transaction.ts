import type { Kysely } from 'kysely'
import type { Step } from '../indexes/plan.ts'
import { plainStatement } from '../indexes/statement-of.ts'
import { note, progressOf, type Run } from './run.ts'

/** Does the steps in the transaction that it is handed. */
export async function doInTransaction(trx: Kysely<unknown>, run: Run, steps: Step[]): Promise<void> {
  for (const step of steps) {
    if (step.kind === 'note') {
      await note(trx, run, step.migration)
      continue
    }
    run.tell(progressOf(run, step))
    await trx.executeQuery(plainStatement(trx, run, step))
  }
}
