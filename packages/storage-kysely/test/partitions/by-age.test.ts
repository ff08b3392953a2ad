import { type Kysely, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { type HostTables, hostDatabaseAt, storageAt } from '../engines/address.ts'
import { overEveryServer } from '../engines/index.ts'

/** The columns of each unique key of payments. */
async function uniqueKeys(db: Kysely<HostTables>, dialect: string): Promise<string[]> {
  type Row = { columns: string }
  const query =
    dialect === 'postgres'
      ? sql<Row>`select (select string_agg(attname, ',' order by place) from unnest(indkey) with ordinality as k (number, place)
            join pg_attribute on attrelid = indrelid and attnum = number) as columns
          from pg_index where indrelid = 'tillkit_payments'::regclass and indisunique`
      : sql<Row>`select group_concat(column_name order by seq_in_index) as columns from information_schema.statistics
          where table_schema = database() and table_name = 'tillkit_payments' and non_unique = 0 group by index_name`
  return (await query.execute(db)).rows.map(({ columns }) => columns).sort()
}

overEveryServer(({ create }) => {
  test('payments cannot be cut by age: two keys are unique over all of a merchant’s time', async () => {
    const { address, drop } = await create()
    const storage = storageAt(address)
    await storage.migrate()
    const db = hostDatabaseAt(address)
    onTestFinished(async () => {
      await db.destroy()
      await storage.close()
      await drop()
    })
    const keys = await uniqueKeys(db, address.dialect)
    expect(keys).toContain('merchant_id,id')

    /** Whether a table that is cut by ranges of a column may have the key. */
    const mayHave = async (key: string, column: string) => {
      const columns = sql.raw(key)
      const cut = sql.id(`cut_${key.replaceAll(',', '_')}_${column}`)
      const range = sql`partition by range (${sql.id(column)})`
      await (address.dialect === 'postgres'
        ? sql`create table ${cut} (merchant_id text, id bigint, date timestamptz, attempt_key text, guarded_reference text) ${range}`
        : sql`create table ${cut} (merchant_id varchar(64), id bigint, date date, attempt_key varchar(64), guarded_reference varchar(64))`
      ).execute(db)
      await sql`create unique index one on ${cut} (${columns})`.execute(db)
      if (address.dialect === 'postgres') return true
      const years = sql`partition by range columns (${sql.id(column)}) (partition rest values less than (maxvalue))`
      await sql`alter table ${cut} ${years}`.execute(db)
      return true
    }
    const forbidding = async (column: string) => {
      const found = await Promise.all(
        keys.map(async key => ((await mayHave(key, column).catch(() => false)) ? '' : key)),
      )
      return found.filter(key => key !== '')
    }
    expect(await forbidding('date')).toEqual(keys)
    expect(await forbidding('id')).toEqual(['merchant_id,attempt_key', 'merchant_id,guarded_reference'])
  })
})
