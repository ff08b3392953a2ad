import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError } from '@tillkit/storage'
import SqliteDatabase from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type SqliteStorage, sqliteStorage } from '../../src/sqlite/index.ts'
import type { TestDatabase } from '../engines/engine.ts'
import { sqlite } from '../engines/sqlite.ts'
import { attempt, merchantId, NOW, openShop } from '../faults/shop.ts'

const LOCK_WAIT = 1

let database: TestDatabase
let storage: SqliteStorage
/** Another program at the same file. */
let other: SqliteDatabase.Database

beforeEach(async () => {
  database = await sqlite.create()
  const { file } = database.address as { file: string }
  storage = sqliteStorage({ file, lockWaitSeconds: LOCK_WAIT })
  await storage.migrate()
  await openShop(storage)
  other = new SqliteDatabase(file)
  other.exec('begin immediate')
})

afterEach(async () => {
  other.close()
  await storage.close()
  await database.drop()
})

const refusal = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    error => (error instanceof DatabaseError ? error.message : error),
  )
const held = /^another process has held the lock of .* for 1 seconds$/

/** How many lock waits, one after another, it takes until all have ended. */
async function waitsUntilAllEnd(calls: Promise<unknown>[]): Promise<number> {
  const begun = performance.now()
  for (const ended of await Promise.all(calls.map(refusal))) expect(ended).toMatch(held)
  return (performance.now() - begun) / (LOCK_WAIT * 1000)
}

test('of many writes none waits for the lock longer than one, whoever looks at the file beside them', async () => {
  const starts = Array.from({ length: 1000 }, () => storage.payments.start(attempt(), NOW))
  await sleep(LOCK_WAIT * 250)
  const looked = storage.inspect?.({ now: NOW, longTransactionSeconds: 60, webhookKeyPrefixes: [] })
  expect(await waitsUntilAllEnd(starts)).toBeLessThan(6)
  await looked
})

test('nobody is told that the lock was held while this process did something else', async () => {
  expect(await refusal(storage.payments.start(attempt(), NOW))).toMatch(held)
  const start = storage.payments.start(attempt(), NOW)
  const begun = performance.now()
  while (performance.now() - begun < LOCK_WAIT * 1500);
  setTimeout(() => other.exec('rollback'), LOCK_WAIT * 50)
  expect((await start).payment.id).toBe(1)
})

test('of many transactions none waits for the lock longer than one', async () => {
  const transactions = Array.from({ length: 20 }, () => storage.transaction(async () => {}))
  expect(await waitsUntilAllEnd(transactions)).toBeLessThan(18)
})

test('a write that came later has its own time, and is done where the lock is let go of in it', async () => {
  const early = refusal(storage.payments.start(attempt({ merchantReference: 'early' }), NOW))
  await sleep(LOCK_WAIT * 600)
  const late = storage.payments.start(attempt({ merchantReference: 'late' }), NOW)
  expect(await early).toMatch(held)
  other.exec('rollback')
  expect((await late).payment).toMatchObject({ id: 1, merchantReference: 'late' })
})

test('what has waited for a long transaction of the storage itself has its time for the lock all the same', async () => {
  other.exec('rollback')
  const { promise, resolve } = Promise.withResolvers<void>()
  const long = storage.transaction(async () => {
    await promise
  })
  await sleep(50)
  const start = storage.payments.start(attempt(), NOW)
  await sleep(LOCK_WAIT * 1500)
  resolve()
  await long
  other.exec('begin immediate')
  await sleep(50)
  other.exec('rollback')
  expect((await start).payment.merchantId).toBe(merchantId)
})
