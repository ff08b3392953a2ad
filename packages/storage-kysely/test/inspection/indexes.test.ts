import { beforeAll, describe, expect, test } from 'vitest'
import { TABLE_NAMES } from '../../src/schema/tables.ts'
import { overEveryEngine, overPostgres } from '../engines/index.ts'
import { schemaOf } from '../migrations/versions/schema-of.ts'
import { found, REQUEST } from './checked.ts'
import { inTables } from './in-tables.ts'
import { withoutIndexes } from './without-indexes.ts'

overEveryEngine(({ name: engine, create }) => {
  const layouts: [string, object][] = [['in one piece', {}]]
  if (engine !== 'SQLite') layouts.push(['in partitions', { partitions: 4 }])

  describe.each(layouts)('tables %s', (_, layout) => {
    const host = inTables(create, { layout, before: beforeAll })

    const { run } = host
    const isMysql = () => host.database.address.dialect === 'mysql'

    const notWhole = async () => {
      const findings = (await host.storage.inspect?.(REQUEST))?.findings ?? []
      return findings.filter(({ check, level }) => check === 'indexes' && level !== 'ok')
    }

    /** Runs what is said to be run, and looks whether that was all. */
    const mend = async () => {
      for (const { advice } of await notWhole()) {
        const statements = advice?.replace(/^Run( \([^)]*\))?: /, '').split('; ') ?? []
        for (const statement of statements) await run(statement)
      }
      expect(await notWhole()).toEqual([])
      expect(await found(host.storage, 'indexes')).toEqual([
        expect.stringMatching(/^ok: All \d+ indexes are whole/),
      ])
    }

    /** PostgreSQL numbers indexes of partitions as they come. */
    const schema = async () =>
      (await schemaOf(host.db, host.database.address)).map(line => line.replace(/_idx\d+ /, '_idx ')).sort()

    const gone = async (index: string, table: string) =>
      run(`drop index ${index}${isMysql() ? ` on ${table}` : ''}`)

    test.each([
      ['holds doubles', 'index', 'merchant_id, attempt_key', ''],
      ['is of other columns', 'unique index', 'merchant_id, id', ''],
      ['is of more columns', 'unique index', 'merchant_id, attempt_key, id', ''],
      ['leaves out more', 'unique index', 'merchant_id, attempt_key', 'where total_amount > 5'],
    ])('an index with the name of a unique one that %s', async (_, kind, columns, where) => {
      if (where !== '' && isMysql()) return
      await gone('tillkit_payments_attempt_key', 'tillkit_payments')
      await run(`create ${kind} tillkit_payments_attempt_key on tillkit_payments (${columns}) ${where}`)
      expect((await notWhole()).map(({ level, says }) => `${level}: ${says}`)).toEqual([
        'problem: The index tillkit_payments_attempt_key of tillkit_payments is of another form: what may be there once may be there twice.',
      ])
      await mend()
    })

    test('an index by which nothing is found any more', async () => {
      await gone('tillkit_payments_pending', 'tillkit_payments')
      await run('create index tillkit_payments_pending on tillkit_payments (total_amount)')
      expect((await notWhole()).map(({ level, says }) => `${level}: ${says}`)).toEqual([
        'warning: The index tillkit_payments_pending of tillkit_payments is of another form: whoever reads by it may read the whole table.',
      ])
      await mend()
    })

    test('a key by another name forbids the same, and one of the same name that forbids less is found', async () => {
      await withoutIndexes(host.db, host.database.address, ['tillkit_cash_ups'])
      await run('create unique index mine on tillkit_cash_ups (merchant_id, number)')
      await run('create unique index mine_too on tillkit_cash_ups (merchant_id, reference)')
      await run(
        'create index tillkit_cash_ups_idempotency_key on tillkit_cash_ups (merchant_id, idempotency_key)',
      )
      expect((await notWhole()).map(({ says }) => says)).toEqual([
        'The unique key tillkit_cash_ups_idempotency_key of tillkit_cash_ups is of another form: what may be there once may be there twice.',
      ])
      await mend()
      for (const index of ['mine', 'mine_too']) await gone(index, 'tillkit_cash_ups')
      await mend()
    })

    test('a primary key that holds too much', async () => {
      if (host.database.address.dialect === 'sqlite') return
      await withoutIndexes(host.db, host.database.address, ['tillkit_deliveries'])
      await run(
        `alter table tillkit_deliveries add constraint mine primary key (merchant_id, payment_id, created_at)`,
      )
      expect((await notWhole()).map(({ says }) => says)).toContain(
        'The primary key of tillkit_deliveries is of another form: what may be there once may be there twice.',
      )
      await mend()
    })

    test('without an index or a key: each is found, and what is said to be run makes it', async () => {
      const whole = await schema()
      const [ok = ''] = await found(host.storage, 'indexes')
      const [indexes = 0, keys = 0] = (ok.match(/\d+/g) ?? []).map(Number)
      // Each table has a primary key, and cash ups have two more; that of migrations is not looked at.
      expect(keys).toBe(TABLE_NAMES.size + 2 - 1)
      await withoutIndexes(host.db, host.database.address)
      const missing = await notWhole()
      expect(missing.filter(({ says }) => !says.includes('is missing: '))).toEqual([])
      expect(missing.filter(({ says }) => /^The (primary|unique) key /.test(says)).length).toBe(keys)
      // Of indexes too there are two that forbid doubles.
      expect(missing.filter(({ level }) => level === 'problem').length).toBe(keys + 2)
      expect(missing.length).toBe(indexes + keys)
      await mend()
      // Of SQLite's keys there are indexes now, and of columns no types.
      if (host.database.address.dialect !== 'sqlite') {
        expect(await schema()).toEqual(whole)
      }
    })
  })
})

overPostgres(({ create }) => {
  const host = inTables(create, { layout: {} })

  test('an index that a migration which is under way has made in its own form is no finding', async () => {
    await host.run(`delete from tillkit_migrations where name >= '0004'`)
    expect(
      (await found(host.storage, 'indexes')).filter(says => says.includes('tillkit_payments_pending')),
    ).toEqual([])
  })
})
