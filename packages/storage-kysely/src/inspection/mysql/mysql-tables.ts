import { type Finding, findingsOf } from '@tillkit/domain'
import { sql } from 'kysely'
import type { Looking } from '../looking.ts'

const { problem } = findingsOf('tables')

const COLLATIONS = { MariaDB: 'utf8mb4_nopad_bin', MySQL: 'utf8mb4_0900_bin' }

interface Table {
  name: string
  engine: string | null
  collation: string | null
  /** Of a column that has another one than is wanted, whatever the table's. */
  other: string | null
  folds: number
}

/** Tables that somebody has changed: to an engine without transactions, or to compare text otherwise than to the letter. */
export async function mysqlTables(
  { db, tablePrefix }: Looking,
  engine: 'MariaDB' | 'MySQL',
): Promise<Finding[]> {
  const collation = COLLATIONS[engine]
  const { rows } = await sql<Table>`
    select table_name as ${sql.ref('name')}, engine as ${sql.ref('engine')}, table_collation as ${sql.ref('collation')},
      beside.other as ${sql.ref('other')}, @@lower_case_table_names <> 0 as ${sql.ref('folds')}
    from information_schema.tables
    left join (
      select table_name as whose, min(collation_name) as other from information_schema.columns
      where table_schema = database() and data_type = 'varchar' and collation_name <> ${sql.lit(collation)}
      group by table_name
    ) as beside on beside.whose = table_name
    where table_schema = database() and table_type = 'BASE TABLE'
      and left(table_name, ${sql.lit(tablePrefix.length)}) = ${sql.lit(tablePrefix)} order by table_name`.execute(
    db,
  )
  // What has been done is noted in a table of no particular collation.
  const compared = rows.filter(({ name, folds }) => {
    const prefix = Number(folds) === 1 ? tablePrefix.toLowerCase() : tablePrefix
    return !name.startsWith(`${prefix}migrations`)
  })
  return [
    ...rows
      .filter(table => table.engine?.toLowerCase() !== 'innodb')
      .map(({ name, engine }) =>
        problem(
          `The table ${name} is of the engine ${engine}: what fails half way stays half done.`,
          `Run: alter table ${name} engine = InnoDB`,
        ),
      ),
    ...compared
      .filter(table => table.other !== null || table.collation !== collation)
      .map(({ name, other, collation: found }) =>
        problem(
          `The table ${name} compares text by ${other ?? found}: two references that differ may count as one.`,
          `Run: alter table ${name} convert to character set utf8mb4 collate ${collation}`,
        ),
      ),
  ]
}
