import type { Finding } from '@tillkit/domain'
import { sql } from 'kysely'
import { TABLE_NAMES } from '../../schema/tables.ts'
import { type ForeignTrigger, foreignTrigger } from '../foreign-trigger.ts'
import type { Looking } from '../looking.ts'

/** As far as the user may see them: of a table for which it lacks the right TRIGGER the server shows none. */
export async function mysqlTriggers({ db, tablePrefix }: Looking): Promise<Finding[]> {
  const tables = [...TABLE_NAMES].map(name => `${tablePrefix}${name}`)
  const { rows } = await sql<ForeignTrigger>`
    select trigger_name as ${sql.ref('name')}, event_object_table as ${sql.ref('table')},
      action_timing = 'BEFORE' as ${sql.ref('before')}
    from information_schema.triggers where event_object_schema = database()
      and event_object_table in (${sql.join(tables)})
    order by event_object_table, trigger_name`.execute(db)
  return rows.map(found => foreignTrigger({ ...found, before: Number(found.before) === 1 }))
}
