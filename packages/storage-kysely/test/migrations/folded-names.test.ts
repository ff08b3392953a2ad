import { ownMariadb } from '@tillkit/servers'
import { createTill, type Till } from '@tillkit/till'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DatabaseError } from '../../src/index.ts'
import { type MysqlStorage, mysqlStorage } from '../../src/mysql/index.ts'
import { REQUEST } from '../inspection/checked.ts'
import { askMysql, startedOr } from '../inspection/servers.ts'

const { server, why } = await startedOr(() => ownMariadb({ settings: { 'lower-case-table-names': '1' } }))
afterAll(() => server?.remove())

describe.skipIf(server === undefined)(`MariaDB that writes tables' names small${why}`, () => {
  const uri = server?.url ?? ''
  let storage: MysqlStorage
  let till: Till

  beforeAll(async () => {
    storage = mysqlStorage({ uri }, { tablePrefix: 'Shop_' })
    till = createTill({ storage, logger: false })
    await storage.migrate()
  })
  afterAll(async () => {
    await till?.close()
    await storage?.close()
  })

  test('the prefix may have capitals, and the second time nothing is changed', async () => {
    await storage.migrate()
    expect(await storage.migrationsLeft()).toEqual([])
    await till.merchants.create({ id: 'shop', name: 'Shop' })
    expect((await till.merchants.get('shop'))?.name).toBe('Shop')
  })

  test('an inspection finds every table, column, index and key', async () => {
    const { findings = [] } = (await storage.inspect?.(REQUEST)) ?? {}
    const ofSchema = findings.filter(({ check }) => ['migrations', 'tables', 'indexes'].includes(check))
    expect(ofSchema.map(({ check, level }) => [check, level])).toEqual([
      ['migrations', 'ok'],
      ['tables', 'ok'],
      ['indexes', 'ok'],
    ])
  })

  test('a table that somebody has changed is found, and no other', async () => {
    const changed = mysqlStorage({ uri }, { tablePrefix: 'Changed_' })
    await changed.migrate()
    await askMysql(uri, 'alter table Changed_merchants engine = MyISAM')
    const { findings = [] } = (await changed.inspect?.(REQUEST)) ?? {}
    expect(findings.filter(({ level, check }) => check === 'tables' && level === 'problem')).toMatchObject([
      { says: expect.stringMatching(/^The table changed_merchants is of the engine MyISAM/) },
    ])
    await changed.close()
  })

  test('a migration whose columns were made, and that was not noted, is finished by the next', async () => {
    await askMysql(uri, "delete from Shop_migrations where name >= '0002'")
    await storage.migrate()
    expect(await storage.migrated?.()).toBe(true)
  })

  test('a table of the host’s own is found before anything is made', async () => {
    await askMysql(uri, 'create table Other_payments (id int)')
    const other = mysqlStorage({ uri }, { tablePrefix: 'Other_' })
    const refused = await other.migrate().catch(error => error)
    expect(refused).toBeInstanceOf(DatabaseError)
    expect(refused.message).toContain('the database has a table Other_payments already')
    await other.close()
  })
})
