import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { sqliteStorage } from '../../src/sqlite/index.ts'
import { attempt, NOW, openShop } from '../faults/shop.ts'

const MEGABYTE = 1024 * 1024

test('the log that grew while a reader held it back is cut once the reader has left', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tillkit-log-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'till.db')
  const logged = async () => (await stat(`${file}-wal`)).size
  const storage = sqliteStorage({ file })
  await storage.migrate()
  await openShop(storage)
  const reader = new SqliteDatabase(file)
  reader.exec('begin')
  reader.prepare('select count(*) from tillkit_payments').get()
  const host = new SqliteDatabase(file)
  host.exec('create table hosts (what blob)')
  for (let n = 0; n < 32; n++) host.prepare('insert into hosts values (randomblob(?))').run(MEGABYTE)
  expect(await logged()).toBeGreaterThan(32 * MEGABYTE)
  reader.close()

  for (let n = 0; n < 3; n++) await storage.payments.start(attempt(), NOW)
  expect(await logged()).toBeLessThanOrEqual(16 * MEGABYTE)
  host.close()
  await storage.close()
})
