import type { Finding } from '@tillkit/domain'
import { sql } from 'kysely'
import { TABLE_NAMES } from '../../schema/tables.ts'
import { foreignTrigger } from '../foreign-trigger.ts'
import type { Looking } from '../looking.ts'

/** SQLite tells of a trigger how it was made; one that says not when it runs does so before. */
export async function sqliteTriggers({ db, tablePrefix }: Looking): Promise<Finding[]> {
  const tables = [...TABLE_NAMES].map(name => `${tablePrefix}${name}`)
  const { rows } = await sql<{ name: string; table: string; made: string }>`
    select name, tbl_name as "table", sql as made from sqlite_master
    where type = 'trigger' and tbl_name collate nocase in (${sql.join(tables)}) order by tbl_name, name`.execute(
    db,
  )
  return rows.map(({ name, table, made }) => {
    const when = made.slice(made.indexOf(name) + name.length)
    return foreignTrigger({ name, table, before: !/^\W*after\b/i.test(when) })
  })
}
