import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteDatabase, { type Database } from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { kyselyStorage } from '../../src/index.ts'
import { sqliteStorage } from '../../src/sqlite/index.ts'
import { found } from './checked.ts'

let folder: string
let file: string
let other: Database

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillkit-'))
  file = join(folder, 'till.db')
  const storage = sqliteStorage({ file })
  await storage.migrate()
  await storage.close()
  other = new SqliteDatabase(file)
})

afterEach(async () => {
  other.close()
  await rm(folder, { recursive: true })
})

test('a file of ours is durable, one in memory is not', async () => {
  const [one, passing] = [sqliteStorage({ file }), sqliteStorage({ file: ':memory:' })]
  expect(await found(one, 'durability')).toEqual([
    'ok: What is acknowledged is on the disk: synchronous is FULL.',
  ])
  await passing.migrate()
  expect(await found(passing, 'durability')).toEqual([
    'warning: The database is in memory, and is gone when its process ends.',
  ])
  await Promise.all([one.close(), passing.close()])
})

test.each([
  ['synchronous = normal', /^problem: synchronous is NORMAL: a power cut takes back payments/],
  ['synchronous = off', /^problem: synchronous is OFF: a power cut takes back payments/],
  ['journal_mode = memory', /^problem: journal_mode is memory: a process that is killed/],
])('a connection of the host’s with %s', async (pragma, says) => {
  other.pragma('journal_mode = delete')
  other.pragma('synchronous = full')
  other.pragma(pragma)
  const db = new Kysely<object>({ dialect: new SqliteDialect({ database: other }) })
  const problems = await found(kyselyStorage(db, 'sqlite'), 'durability')
  expect(problems[0]).toMatch(says)
})

test('a journal that makes readers wait is worth knowing', async () => {
  other.pragma('journal_mode = delete')
  const db = new Kysely<object>({ dialect: new SqliteDialect({ database: other }) })
  expect(await found(kyselyStorage(db, 'sqlite'), 'durability')).toEqual([
    'ok: What is acknowledged is on the disk: synchronous is FULL.',
    'note: journal_mode is delete: reads and writes wait for each other.',
  ])
})

test('a lock that another connection does not let go of', async () => {
  const storage = sqliteStorage({ file, lockWaitSeconds: 0.2 })
  expect(await found(storage, 'locks')).toEqual(['ok: The lock of the file was to be had.'])
  other.exec('begin immediate')
  expect(await found(storage, 'locks')).toEqual([
    expect.stringMatching(/^problem: The lock of the file was not to be had for \d+ s: another process/),
  ])
  other.exec('rollback')
  expect(await found(storage, 'locks')).toEqual(['ok: The lock of the file was to be had.'])
  await storage.close()
})

test('a reader that never ends, by what the log has grown to', async () => {
  const storage = sqliteStorage({ file })
  await found(storage, 'locks')
  const writer = new SqliteDatabase(file)
  writer.exec('create table mine (bytes blob)')
  other.exec('begin')
  other.prepare('select count(*) from mine').get()
  writer.exec('insert into mine values (randomblob(70000000))')
  expect(await found(storage, 'locks')).toEqual([
    'ok: The lock of the file was to be had.',
    expect.stringMatching(/^warning: The write-ahead log has grown to \d+ MiB: somebody has been reading/),
  ])
  other.exec('rollback')
  writer.close()
  await storage.close()
})
