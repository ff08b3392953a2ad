import { type Finding, findingsOf } from '@tillkit/domain'
import { sql } from 'kysely'
import { TABLE_NAMES } from '../../schema/tables.ts'
import type { Looking } from '../looking.ts'

const { problem } = findingsOf('tables')

/** What holds no words of the definition itself: texts, names in quotes, comments. */
const APART = /'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\//g

/**
 * Tables by whose definition SQLite keeps a row that a key refuses in the place of the one that is there, or leaves it out: no
 * statement fails then, and none of ours says otherwise. SQLite tells of it by the definition alone.
 */
export async function sqliteConflicts({ db, tablePrefix }: Looking): Promise<Finding[]> {
  const tables = [...TABLE_NAMES].map(name => `${tablePrefix}${name}`)
  const { rows } = await sql<{ name: string; made: string }>`
    select name, sql as made from sqlite_master
    where type = 'table' and name collate nocase in (${sql.join(tables)}) order by name`.execute(db)
  return rows.flatMap(({ name, made }) => {
    const words = made.replaceAll(APART, ' ').toLowerCase()
    const [, word] = /\bon\s+conflict\s+(replace|ignore)\b/.exec(words) ?? []
    if (word === undefined) return []
    const becomes = word === 'replace' ? 'takes the place of the row that is there' : 'is left out'
    return [
      problem(
        `The table ${name} says on conflict ${word}: what a key is to refuse ${becomes}, without an error.`,
        'Stop all that writes, make the table anew without these words, and move its rows over.',
      ),
    ]
  })
}
