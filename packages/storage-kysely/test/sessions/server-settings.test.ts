import { ownMariadb, placeName } from '@tillkit/servers'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { type MysqlStorage, mysqlStorage } from '../../src/mysql/index.ts'
import { PATIENT } from '../engines/address.ts'
import { NOW } from '../faults/shop.ts'
import { askMysql, startedOr } from '../inspection/servers.ts'

const { server, why } = await startedOr(() => ownMariadb())

/** What an administrator may have set a server to, which sessions begin with: a pool of Tillkit's own sets it right. */
describe.skipIf(!server)(`MariaDB that is set for other programs${why}`, () => {
  const url = server?.url ?? ''
  let storage: MysqlStorage | undefined
  let names: string[] = []

  async function openWith(settings: Record<string, number>): Promise<MysqlStorage> {
    names = Object.keys(settings)
    for (const [name, value] of Object.entries(settings)) await askMysql(url, `set global ${name} = ${value}`)
    const uri = new URL(url)
    uri.pathname = placeName()
    await askMysql(url, `create database \`${uri.pathname.slice(1)}\``)
    storage = mysqlStorage({ uri: uri.href, ...PATIENT })
    await storage.migrate()
    return storage
  }

  afterEach(async () => {
    await storage?.close()
    for (const name of names) await askMysql(url, `set global ${name} = default`)
  })
  afterAll(() => server?.remove())

  test('max_sort_length = 64, fewer bytes than texts differ after: statements of one time are listed by their whole references', async () => {
    const { settlements } = await openWith({ max_sort_length: 64 })
    const references = ['a', 'b', 'c', 'd'].map(end => 'x'.repeat(60) + end)
    for (const reference of references) await settlements.begin(reference, NOW)
    const { items } = await settlements.list({ skip: 0, limit: 4 })
    expect(items.map(one => one.statementReference)).toEqual(references.toReversed())
  })

  test('sort_buffer_size = 1024, too little for any text: tables are made, and lists come in order', async () => {
    const { settlements } = await openWith({ sort_buffer_size: 1024 })
    for (const reference of ['a', 'b']) await settlements.begin(reference, NOW)
    const { items } = await settlements.list({ skip: 0, limit: 4 })
    expect(items.map(one => one.statementReference)).toEqual(['b', 'a'])
  })
})
