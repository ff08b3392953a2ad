import { type Kysely, sql } from 'kysely'
import type { Address, HostTables } from '../engines/address.ts'

/** Takes all keys and indexes from those tables, or from all that have rows of Tillkit's. */
export async function withoutIndexes(
  db: Kysely<HostTables>,
  { dialect }: Address,
  tables?: string[],
): Promise<void> {
  const { rows } = await sql.raw<{ table: string; statement: string }>(STATEMENTS[dialect]).execute(db)
  for (const { table, statement } of rows) {
    if (tables?.includes(table) ?? !table.startsWith('tillkit_migrations')) {
      for (const one of statement.split('; ')) await sql.raw(one).execute(db)
    }
  }
}

/** The names are lower-case letters and underscores: nothing is quoted. */
const STATEMENTS = {
  sqlite: `select name as "table", 'create table passing as select * from ' || name || '; drop table ' || name
      || '; alter table passing rename to ' || name as "statement"
    from sqlite_master where type = 'table' and name not like 'sqlite_%'`,
  postgres: `select t.relname as "table", case when k.conname is null then 'drop index ' || i.relname
      else 'alter table ' || t.relname || ' drop constraint ' || k.conname end as "statement"
    from pg_index as x join pg_class as i on i.oid = x.indexrelid join pg_class as t on t.oid = x.indrelid
    left join pg_constraint as k on k.conindid = x.indexrelid
    where t.relnamespace = (select oid from pg_namespace where nspname = current_schema()) and not t.relispartition`,
  mysql: `select table_name as \`table\`, concat('alter table ', table_name, ' ', group_concat(
      case index_name when 'PRIMARY' then 'drop primary key' else concat('drop index ', index_name) end
      separator ', ')) as statement
    from (select distinct table_name, index_name from information_schema.statistics
      where table_schema = database()) as indexes group by table_name`,
}
