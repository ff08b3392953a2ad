import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { DialectName } from '../../src/index.ts'
import { migrateTo } from '../../src/migrations/migrate.ts'
import { MIGRATIONS } from '../../src/migrations/migrations.ts'
import { placeOf } from '../engines/address.ts'
import type { Engine } from '../engines/engine.ts'
import { overEveryEngine, overEveryServer } from '../engines/index.ts'
import { REQUEST } from './checked.ts'
import { inTables } from './in-tables.ts'

/** Tables of a database of its own for each test of a suite, and what somebody does to them. */
function inColumns(create: Engine['create']) {
  const host = inTables(create)
  const { run } = host

  const notOk = async () => {
    const findings = (await host.storage.inspect?.(REQUEST))?.findings ?? []
    return findings.filter(({ check, level }) => check === 'tables' && level !== 'ok')
  }

  /** As a program does that shows tables in windows: the table is made anew by another definition, and filled from the old one. */
  const remake = async (table: string, change: (definition: string) => string) => {
    const { rows } = await sql<{ sql: string }>`
      select sql from sqlite_master where tbl_name = ${table} and sql is not null order by type = 'table' desc`.execute(
      host.db,
    )
    const [definition = '', ...indexes] = rows.map(row => row.sql)
    await run(`alter table ${table} rename to passing`)
    await run(change(definition))
    const { rows: columns } = await sql<{ all: string }>`
      select group_concat('"' || name || '"') as "all" from pragma_table_info('passing')`.execute(host.db)
    await run(`insert into ${table} (${columns[0]?.all}) select * from passing`)
    await run('drop table passing')
    for (const index of indexes) await run(index)
  }

  return { host, run, notOk, remake }
}

/** What somebody does to the columns of the tables, and what is told of it. */
type Alteration = [says: string, statement: string | [table: string, from: string, to: string]]

const CHANGED = 'what is written may be changed, refused, or taken for something else.'

const ALTERATIONS: Record<DialectName, Alteration[]> = {
  sqlite: [
    [
      `problem: The column total_amount of tillkit_payments is TEXT, and was made as integer: ${CHANGED}`,
      ['tillkit_payments', '"total_amount" integer', '"total_amount" TEXT'],
    ],
    [
      `problem: The column fence of tillkit_deliveries is blob, and was made as integer: ${CHANGED}`,
      ['tillkit_deliveries', '"fence" integer', '"fence"'],
    ],
    [
      `problem: The column auth_code of tillkit_payments is NUMERIC, and was made as text: ${CHANGED}`,
      ['tillkit_payments', '"auth_code" text', '"auth_code" NUMERIC'],
    ],
    [
      `problem: The column attempt_key of tillkit_payments is TEXT collate NOCASE, and was made as text: ${CHANGED}`,
      ['tillkit_payments', '"attempt_key" text', '"attempt_key" TEXT collate NOCASE'],
    ],
    [
      'warning: The column scan_code of tillkit_payments may be null: a row that has nothing there cannot be read.',
      ['tillkit_payments', '"scan_code" text not null', '"scan_code" text'],
    ],
    [
      'problem: tillkit_cash_ups is no table: what a view does not show counts as gone, and no key keeps a row from being there twice.',
      'alter table tillkit_cash_ups rename to cash_ups; create view tillkit_cash_ups as select * from cash_ups',
    ],
  ],
  postgres: [
    [
      `problem: The column total_amount of tillkit_payments is real, and was made as bigint: ${CHANGED}`,
      'alter table tillkit_payments alter column total_amount type real',
    ],
    [
      `problem: The column attempt_key of tillkit_payments is character varying(64) collate "default", and was made as text collate "C": ${CHANGED}`,
      'alter table tillkit_payments alter column attempt_key type varchar(64)',
    ],
    [
      `problem: The column last_date of tillkit_ledgers is timestamp(0) with time zone, and was made as timestamptz: ${CHANGED}`,
      'alter table tillkit_ledgers alter column last_date type timestamptz(0)',
    ],
    [
      `problem: The column totals of tillkit_payment_sums is json, and was made as jsonb: ${CHANGED}`,
      'alter table tillkit_payment_sums alter column totals type json',
    ],
    [
      'problem: The column lone_milliseconds of tillkit_deliveries may not be null any more: rows that have nothing there are refused.',
      'alter table tillkit_deliveries alter column lone_milliseconds set not null',
    ],
    [
      'problem: The column suspensions of tillkit_ledgers has no default any more: rows that leave it out are refused.',
      'alter table tillkit_ledgers alter column suspensions drop default',
    ],
    [
      'warning: The column scan_code of tillkit_payments may be null: a row that has nothing there cannot be read.',
      'alter table tillkit_payments alter column scan_code drop not null',
    ],
  ],
  mysql: [
    [
      `problem: The column total_amount of tillkit_payments is float, and was made as bigint: ${CHANGED}`,
      'alter table tillkit_payments modify total_amount float not null',
    ],
    [
      `problem: The column date of tillkit_payments is datetime on update current_timestamp, and was made as datetime: ${CHANGED}`,
      'alter table tillkit_payments modify date datetime not null on update current_timestamp',
    ],
    [
      `problem: The column next_attempt_at of tillkit_deliveries is date, and was made as datetime(3): ${CHANGED}`,
      'alter table tillkit_deliveries modify next_attempt_at date',
    ],
    [
      `problem: The column attempt_key of tillkit_payments is varchar(64), and was made as varchar(255): ${CHANGED}`,
      'alter table tillkit_payments modify attempt_key varchar(64)',
    ],
    [
      'problem: The column lone_milliseconds of tillkit_deliveries may not be null any more: rows that have nothing there are refused.',
      'alter table tillkit_deliveries modify lone_milliseconds bigint not null default 0',
    ],
    [
      'problem: The column suspensions of tillkit_ledgers has no default any more: rows that leave it out are refused.',
      'alter table tillkit_ledgers modify suspensions bigint not null',
    ],
    [
      'warning: The column scan_code of tillkit_payments may be null: a row that has nothing there cannot be read.',
      'alter table tillkit_payments modify scan_code varchar(64)',
    ],
  ],
}

overEveryEngine(({ create }) => {
  const { host, run, notOk, remake } = inColumns(create)

  test('of columns that were altered each is told, and what is said to be run makes it as it was', async () => {
    const { dialect } = host.database.address
    await host.storage.migrate()
    for (const [says, statement] of ALTERATIONS[dialect]) {
      if (typeof statement === 'string') for (const one of statement.split('; ')) await run(one)
      else await remake(statement[0], made => made.replace(statement[1], statement[2]))
      const found = await notOk()
      expect(found.map(({ level, says }) => `${level}: ${says}`)).toEqual([says])
      if (Array.isArray(statement)) {
        expect(found[0]?.advice).toMatch(/^Stop all that writes, make the table anew with \w+ as /)
        await remake(statement[0], made => made.replace(statement[2], statement[1]))
      } else if (dialect !== 'sqlite') {
        await run(found[0]?.advice?.replace(/^Run \([^)]*\): /, '') ?? '')
      }
      if (Array.isArray(statement) || dialect !== 'sqlite') expect(await notOk()).toEqual([])
    }
  })

  test('of a view in the place of a table, and of a table that is gone, nothing else is told', async () => {
    await host.storage.migrate()
    const told = async () => {
      const findings = (await host.storage.inspect?.(REQUEST))?.findings ?? []
      const ofSchema = findings.filter(({ check }) => ['tables', 'indexes'].includes(check))
      return ofSchema.filter(({ level }) => level !== 'ok').map(({ says }) => says)
    }
    await run('alter table tillkit_cash_ups rename to cash_ups')
    await run('create view tillkit_cash_ups as select * from cash_ups')
    expect(await told()).toEqual([expect.stringMatching(/^tillkit_cash_ups is no table: /)])
    await run('drop view tillkit_cash_ups')
    expect(await told()).toEqual(['The table tillkit_cash_ups is gone.'])
    await run('alter table cash_ups rename to tillkit_cash_ups')
    expect(await told()).toEqual([])
  })

  test('columns of others are none of ours, unless rows that leave them out are refused', async () => {
    await host.storage.migrate()
    await run('alter table tillkit_payments add note varchar(20)')
    await run(`alter table tillkit_payments add mark varchar(20) not null default ''`)
    expect(await notOk()).toEqual([])
    if (host.database.address.dialect === 'sqlite') {
      await remake('tillkit_cash_ups', made => made.replace('"number"', '"shop" int not null, "number"'))
    } else {
      await run('alter table tillkit_cash_ups add shop int not null')
    }
    expect((await notOk()).map(({ says }) => says)).toEqual([
      'The column shop of tillkit_cash_ups is none of Tillkit’s, and rows that leave it out are refused.',
    ])
  })

  test('columns of other words, or with more room, are as good', async () => {
    const { dialect } = host.database.address
    await host.storage.migrate()
    if (dialect === 'sqlite') {
      const words = (made: string) =>
        made.replaceAll(' integer', ' BIGINT').replaceAll(' text', ' NVARCHAR(20)')
      await remake('tillkit_payments', made => `${words(made)} without rowid`)
    }
    if (dialect === 'mysql') await run('alter table tillkit_payments modify scan_code varchar(255) not null')
    await run('create table mine (id bigint)')
    expect(await notOk()).toEqual([])
  })

  test('nothing is told of tables on their way from any version to this one', async () => {
    const { address } = host.database
    for (const name of Object.keys(MIGRATIONS)) {
      await migrateTo(host.db, address.dialect, { ...placeOf(address), contract: false }, name)
      expect(await notOk()).toEqual([])
    }
  })
})

overEveryServer(({ create, name }) => {
  const { host, notOk } = inColumns(create)

  test('nothing is told of tables in partitions, or that are compressed', async () => {
    await host.storage.migrate({ partitions: 3, ...(name === 'MariaDB' ? { compressed: true } : {}) })
    expect(await notOk()).toEqual([])
  })
})
