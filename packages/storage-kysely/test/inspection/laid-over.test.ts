import { expect, test } from 'vitest'
import { storageAt } from '../engines/address.ts'
import { overEveryEngine, overPostgres } from '../engines/index.ts'
import { createUser } from '../engines/user.ts'
import { found, of, REQUEST } from './checked.ts'
import { inTables } from './in-tables.ts'

/** What others have laid over the tables, by which these hold or show something else than was written. */
overEveryEngine(({ create, name: engine }) => {
  const host = inTables(create, { layout: {} })
  const { run } = host

  test('triggers: those before a row are a warning, those after it worth knowing', async () => {
    expect(await found(host.storage, 'triggers')).toEqual([])
    await run('create table mine (id bigint)')
    if (engine === 'PostgreSQL') {
      await run(`create function mine() returns trigger language plpgsql as 'begin return new; end'`)
    }
    const body = {
      SQLite: 'begin insert into mine values (1); end',
      PostgreSQL: 'for each row execute function mine()',
    }[engine as string]
    const trigger = (name: string, when: string, table: string) =>
      run(`create trigger ${name} ${when} on ${table} ${body ?? 'for each row insert into mine values (1)'}`)
    await trigger('before_it', 'after insert', 'tillkit_payments')
    await trigger('after_it', 'before update', 'tillkit_payments')
    await trigger('not_ours', 'before update', 'mine')
    expect((await found(host.storage, 'triggers')).sort()).toEqual([
      'note: The trigger before_it of tillkit_payments runs after each write: it takes its time, and where it fails so does the write.',
      'warning: The trigger after_it of tillkit_payments runs before a row is written: it may change the row or keep it out, so that what is kept is not what was answered.',
    ])
  })
})

overPostgres(({ create }) => {
  const host = inTables(create, { layout: { partitions: 2 } })
  const { run } = host

  const notOk = async (check: string) => {
    const findings = (await host.storage.inspect?.(REQUEST))?.findings ?? []
    return findings.filter(one => one.check === check && one.level !== 'ok')
  }

  test('tables that a crash empties, others that are read with them, and rules: what is said to be run takes them away', async () => {
    expect(await notOk('rules')).toEqual([])
    await run('alter table tillkit_payments_p1 set unlogged')
    await run('create table mine () inherits (tillkit_scan_codes)')
    await run('create rule "Mine" as on update to tillkit_merchants do instead nothing')
    const tables = await notOk('tables')
    expect(tables.map(({ level, says }) => `${level}: ${says}`)).toEqual([
      'problem: The table tillkit_payments_p1 is unlogged: a crash of the server empties it.',
      'problem: The table mine inherits from tillkit_scan_codes: its rows are read with those of tillkit_scan_codes, and no key keeps one from being there twice.',
    ])
    const rules = await notOk('rules')
    expect(rules.map(({ level, says }) => `${level}: ${says}`)).toEqual([
      'problem: The rule Mine makes other statements of those for tillkit_merchants: writes are refused, or do not take place.',
    ])
    for (const { advice } of [...tables, ...rules])
      await run(advice?.replace(/^Run( \([^)]*\))?: /, '') ?? '')
    expect([...(await notOk('tables')), ...(await notOk('rules'))]).toEqual([])
  })

  test('a trigger on a table in partitions is told of once, one on a partition by its name, and none that is off', async () => {
    await run(`create function mine() returns trigger language plpgsql as 'begin return new; end'`)
    const trigger = (name: string, table: string) =>
      run(`create trigger ${name} before insert on ${table} for each row execute function mine()`)
    await trigger('on_all', 'tillkit_payments')
    await trigger('on_one', 'tillkit_payments_p0')
    await trigger('is_off', 'tillkit_merchants')
    await run('alter table tillkit_merchants disable trigger is_off')
    await run('create trigger no_emptying before truncate on tillkit_payments execute function mine()')
    expect((await notOk('triggers')).map(({ says }) => says.split(' runs ')[0])).toEqual([
      'The trigger on_all of tillkit_payments',
      'The trigger on_one of tillkit_payments_p0',
    ])
  })

  test('row-level security, to a role that it applies to and to one that it does not', async () => {
    const user = await createUser(host.database.address, 'select, insert, update, delete')
    const other = storageAt(user.address)
    for (const table of ['payments', 'deliveries']) {
      await run(`alter table tillkit_${table} enable row level security`)
    }
    expect(await found(host.storage, 'row-security')).toEqual([
      'note: Row-level security is on for tillkit_deliveries, tillkit_payments, and hides nothing from this role.',
    ])
    const inspected = await other.inspect?.(REQUEST)
    expect(of(inspected, 'row-security')).toEqual([
      'problem: Row-level security applies to this role in tillkit_deliveries, tillkit_payments: statements are refused, or what it hides counts as gone.',
    ])
    expect(of(inspected, 'counts')).toEqual([expect.stringMatching(/^problem: .*row-level security/)])
    const [{ advice } = { advice: '' }] =
      inspected?.findings.filter(({ check }) => check === 'row-security') ?? []
    await run(advice?.replace(/^Run: |; or .*/g, '') ?? '')
    expect(await found(other, 'row-security')).toEqual([])
    await other.close()
    await user.drop()
  })
})
