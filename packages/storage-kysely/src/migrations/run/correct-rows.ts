import type { Kysely } from 'kysely'
import { runAgain } from '../../session/run-again.ts'
import { correctionOf } from '../migrations.ts'
import { namesDone, note, placed, type Run } from './run.ts'

/** Does the corrections that have not been noted, after all else. Two processes that are at one do it twice. */
export async function correctRows(db: Kysely<unknown>, run: Run): Promise<void> {
  const { dialect, named, checkSession: check } = run
  const again = <Result>(work: () => Promise<Result>) =>
    db.isTransaction ? work() : runAgain(dialect, true, work)
  const done = await again(() => namesDone(db, run))
  for (const [migration, { correction }] of Object.entries(run.wanted)) {
    const name = correctionOf(migration)
    if (!correction || done.includes(name)) continue
    const { table } = correction
    const at = {
      migration,
      step: 'correct',
      table: named(table),
      index: null,
      phase: null,
      total: 0,
    } as const
    await correction.run({
      ...{ db, dialect, check },
      placed: one => placed(run, named(one)),
      tell: rows => run.tell({ ...at, done: rows }),
    })
    await again(() => note(db, run, name))
  }
}
