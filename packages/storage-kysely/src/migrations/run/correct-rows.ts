import type { Kysely } from 'kysely'
import { databaseTime } from '../../time/read-time.ts'
import { correctionOf } from '../migrations.ts'
import type { Notes } from '../refusals/refuse-newer.ts'
import { againOn } from './again-on.ts'
import { namesDone, note, placed, type Run } from './run.ts'

/** For how many milliseconds processes are thought to be replaced once one of this version has made the tables. */
const REPLACING = 24 * 60 * 60 * 1000

/**
 * Does the corrections that have not been noted, after all else. Two processes that are at one do it twice.
 *
 * @param before - what had been noted when this began.
 */
export async function correctRows(db: Kysely<unknown>, run: Run, before: Notes): Promise<void> {
  const { dialect, named, checkSession: check } = run
  const again = againOn(db, dialect)
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
    if (await again(() => isForGood(db, migration, before, run))) await again(() => note(db, run, name))
  }
}

/** Whether nobody is left who writes what has been corrected: who has just made the tables may be the first of its version. */
async function isForGood(
  db: Kysely<unknown>,
  migration: string,
  before: Notes,
  { alone, dialect }: Run,
): Promise<boolean> {
  if (before.size === 0) return true
  const made = before.get(migration)
  if (made === undefined || alone) return made !== undefined
  return Date.parse(made) < Date.parse(await databaseTime(db, dialect)) - REPLACING
}
