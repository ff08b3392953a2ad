import { copyFile, rename, rm, symlink } from 'node:fs/promises'
import { relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DatabaseError } from '../../src/index.ts'
import { type SqliteStorage, sqliteStorage } from '../../src/sqlite/index.ts'
import { sqlite } from '../engines/sqlite.ts'
import { ALL, attempt, merchantId, NOW, openShop } from '../faults/shop.ts'

let file: string
let drop: () => Promise<void>
let storage: SqliteStorage

beforeEach(async () => {
  const database = await sqlite.create()
  if (database.address.dialect !== 'sqlite') throw new Error('not SQLite')
  file = database.address.file
  drop = database.drop
  storage = sqliteStorage({ file })
  await storage.migrate()
  await openShop(storage)
  await storage.payments.start(attempt(), NOW)
  await storage.payments.list(merchantId, {}, ALL)
})

afterEach(async () => {
  await storage.close()
  await drop()
})

/** Longer than a file that was looked at is not looked at again. */
const aWhile = () => sleep(150)

test.each([
  ['the file is removed', '', () => rm(file)],
  ['the file has another name', '', () => rename(file, `${file}.away`)],
  [
    'a copy takes its place',
    '',
    () => copyFile(file, `${file}.copy`).then(() => rename(`${file}.copy`, file)),
  ],
  ['its log is removed', '-wal', () => rm(`${file}-wal`)],
  ['the index of its log is removed', '-shm', () => rm(`${file}-shm`)],
])('once %s nothing is acknowledged that nobody else will ever see', async (_, of, change) => {
  await change()
  await aWhile()
  const expected = `${file}${of} was removed or replaced while it was open`
  for (const call of [
    () => storage.payments.start(attempt(), NOW),
    () => storage.payments.list(merchantId, {}, ALL),
    () => storage.merchants.list({ limit: 1 }),
  ]) {
    const refused = await call().catch(error => error)
    expect(refused).toBeInstanceOf(DatabaseError)
    expect(refused.message).toContain(expected)
  }
})

/** As somebody does who restores a backup. */
async function restore(): Promise<void> {
  for (const end of ['', '-wal', '-shm']) await rm(`${file}${end}`)
  await rename(`${file}.backup`, file)
}

const REPLACED = expect.objectContaining({
  constructor: DatabaseError,
  message: expect.stringContaining(`was removed or replaced while it was open`),
})

describe('a backup that is restored', () => {
  beforeEach(async () => {
    const backed = new SqliteDatabase(file)
    await backed.backup(`${file}.backup`)
    backed.close()
  })

  const start = (on: Pick<SqliteStorage, 'payments'> = storage) => on.payments.start(attempt(), NOW)

  test.each([
    ['a start', () => [start()]],
    ['starts that share a transaction', () => [start(), start(), start()]],
    ['a transaction of the host', () => [storage.transaction(inside => start(inside))]],
  ])('while %s waits for the lock: nothing is acknowledged', async (_, write) => {
    const holder = new SqliteDatabase(file)
    holder.exec('begin immediate')
    const answers = Promise.allSettled<unknown>(write())
    await aWhile()
    await restore()
    await aWhile()
    holder.close()
    for (const answer of await answers) {
      expect(answer).toEqual({ status: 'rejected', reason: REPLACED })
    }
  })

  test('in the midst of a transaction: it does not commit', async () => {
    const transaction = storage.transaction(async inside => {
      await start(inside)
      await restore()
      await aWhile()
      await start(inside)
    })
    await expect(transaction).rejects.toEqual(REPLACED)
  })
})

test('a file that is put back is gone on with', async () => {
  await rename(file, `${file}.away`)
  await aWhile()
  await expect(storage.payments.start(attempt(), NOW)).rejects.toThrow('was removed or replaced')
  await rename(`${file}.away`, file)
  expect((await storage.payments.start(attempt(), NOW)).payment.id).toBe(2)
})

test('a file that is put back is gone on with after a transaction that did not commit', async () => {
  const transaction = storage.transaction(async inside => {
    await inside.payments.start(attempt(), NOW)
    await rename(file, `${file}.away`)
    await aWhile()
  })
  await expect(transaction).rejects.toEqual(REPLACED)
  await rename(`${file}.away`, file)
  expect((await storage.payments.start(attempt(), NOW)).payment.id).toBe(2)
})

test('a file by a relative path and a link stays the same wherever the process goes', async () => {
  const before = process.cwd()
  await symlink(file, `${file}.link`)
  const linked = sqliteStorage({ file: relative(before, `${file}.link`) })
  await linked.payments.start(attempt(), NOW)
  process.chdir('/')
  try {
    await aWhile()
    expect((await linked.payments.start(attempt(), NOW)).payment.id).toBe(3)
  } finally {
    process.chdir(before)
    await linked.close()
  }
})

test('the log of a file by a link is looked for beside the file', async () => {
  await symlink(file, `${file}.link`)
  const linked = sqliteStorage({ file: `${file}.link` })
  await linked.payments.start(attempt(), NOW)
  await rm(`${file}-wal`)
  await aWhile()
  await expect(linked.payments.start(attempt(), NOW)).rejects.toEqual(REPLACED)
  await linked.close()
})
