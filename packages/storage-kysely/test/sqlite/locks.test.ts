import SqliteDatabase from 'better-sqlite3'
import { beforeEach, expect, test } from 'vitest'
import { DatabaseError } from '../../src/index.ts'
import { sqliteStorage } from '../../src/sqlite/index.ts'
import { besideAnother } from './beside-another.ts'

const at = besideAnother({ lockWaitSeconds: 60 })

const shop = {
  id: 'shop',
  name: 'Shop',
  webhookUrl: null,
  features: { tips: false, userReferences: false, deviceLists: false },
  createdAt: '2026-11-20T09:30:00.000Z',
}

beforeEach(() => {
  at.other.exec('begin immediate')
})

/** Lets the event loop tick `count` times. */
function ticks(count: number): Promise<void> {
  return new Promise(resolve => {
    let ticked = 0
    const timer = setInterval(() => {
      ticked += 1
      if (ticked < count) return
      clearInterval(timer)
      resolve()
    }, 1)
  })
}

test('a write that waits for another process does not stop the event loop, nor reads', async () => {
  let written = false
  const write = at.storage.merchants.create(shop).then(() => {
    written = true
  })
  await ticks(50)
  expect(await at.storage.merchants.get('shop')).toBe(null)
  expect(written).toBe(false)
  at.other.exec('rollback')
  await write
  expect(await at.storage.merchants.get('shop')).toEqual({ ...shop, suspendedAt: null })
})

test('a first migration waits in the same way', async () => {
  const file = `${at.file}.new`
  const holder = new SqliteDatabase(file)
  holder.exec('begin exclusive')
  const fresh = sqliteStorage({ file, lockWaitSeconds: 60 })
  const migrated = fresh.migrate()
  await ticks(50)
  holder.exec('rollback')
  await migrated
  holder.close()
  expect(await fresh.merchants.get('shop')).toBe(null)
  await fresh.close()
})

test('a lock that is never released ends in an error that says so', async () => {
  const { file } = at
  const impatient = sqliteStorage({ file, lockWaitSeconds: 0.05 })
  const refused = await impatient.merchants.create(shop).catch(error => error)
  expect(refused).toBeInstanceOf(DatabaseError)
  expect(refused.message).toBe(`another process has held the lock of ${file} for 0.05 seconds`)
  expect(await impatient.merchants.get('shop')).toBe(null)
  at.other.exec('rollback')
  await impatient.merchants.create(shop)
  await impatient.close()
})

test('writes that wait together are each answered for themselves', async () => {
  const code = { merchantId: 'shop', reference: null, createdAt: shop.createdAt }
  const work = [
    at.storage.merchants.create(shop),
    at.storage.scanCodes.add({ ...code, code: 'till-1' }),
    at.storage.scanCodes.add({ ...code, code: 'till-1' }),
    at.storage.scanCodes.add({ ...code, code: 'till-2', merchantId: 'nobody' }),
    at.storage.scanCodes.add({ ...code, code: 'till-3' }),
  ]
  const answers = Promise.allSettled(work)
  await ticks(5)
  at.other.exec('rollback')
  const refusals = (await answers).map(answer => (answer.status === 'rejected' ? answer.reason.code : null))
  expect(refusals).toEqual([null, null, 'conflict', 'not_found', null])
  expect((await at.storage.scanCodes.list('shop')).map(({ code }) => code)).toEqual(['till-1', 'till-3'])
})

test('what waits as the storage closes is told so', async () => {
  const writes = Promise.allSettled([
    at.storage.merchants.create(shop),
    at.storage.transaction(inside => inside.merchants.create(shop)),
  ])
  await ticks(5)
  const later = Promise.allSettled([at.storage.merchants.create(shop)])
  await at.storage.close()
  at.other.exec('rollback')
  for (const answer of [...(await writes), ...(await later)]) {
    expect(answer).toMatchObject({ status: 'rejected', reason: { message: 'the storage is closed' } })
  }
})

test('a transaction in whose midst the storage closes is told so, and nothing of it is there', async () => {
  at.other.exec('rollback')
  const written = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  const transaction = at.storage.transaction(async inside => {
    await inside.merchants.create(shop)
    written.resolve()
    await closed.promise
  })
  await written.promise
  await at.storage.close()
  closed.resolve()
  await expect(transaction).rejects.toEqual(
    expect.objectContaining({ constructor: DatabaseError, message: 'the storage is closed' }),
  )
  expect(at.other.prepare('select count(*) as count from tillkit_merchants').get()).toEqual({ count: 0 })
})
