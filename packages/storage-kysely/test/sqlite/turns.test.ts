import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { DatabaseStorage } from '../../src/index.ts'
import { sqliteStorage } from '../../src/sqlite/index.ts'
import { sqlite } from '../engines/sqlite.ts'
import { ALL, attempt, merchantId, NOW, openShop } from '../faults/shop.ts'

/** Longer than a write takes that waits for nobody. */
const SOME_TURNS = 50

/** A transaction of the host's that has begun, and lasts until it is ended. */
async function openTransaction(storage: DatabaseStorage) {
  const inside = Promise.withResolvers<void>()
  const { promise, resolve: end } = Promise.withResolvers<void>()
  const open = storage.transaction(async () => {
    inside.resolve()
    await promise
  })
  await inside.promise
  return { open, end }
}

test('what is written beside an open transaction of the storage waits for its end, and is not undone with it', async () => {
  const { address, drop } = await sqlite.create()
  if (address.dialect !== 'sqlite') throw new Error('not SQLite')
  const storage = sqliteStorage({ file: address.file })
  try {
    await storage.migrate()
    await openShop(storage)
    const inside = Promise.withResolvers<void>()
    const end = Promise.withResolvers<void>()
    const undone = storage.transaction(async transaction => {
      await transaction.payments.start(attempt({ merchantReference: 'undone' }), NOW)
      inside.resolve()
      await end.promise
      throw new Error('undone')
    })
    await inside.promise
    let isWritten = false
    const writes = ['first', 'second'].map(async merchantReference => {
      await storage.payments.start(attempt({ merchantReference }), NOW)
      isWritten = true
    })
    for (let turn = 0; turn < SOME_TURNS; turn++) await setImmediate()
    expect(isWritten).toBe(false)
    end.resolve()
    await expect(undone).rejects.toThrow('undone')
    await Promise.all(writes)
    const { items } = await storage.payments.list(merchantId, {}, ALL)
    expect(items.map(payment => [payment.id, payment.merchantReference])).toEqual([
      [2, 'second'],
      [1, 'first'],
    ])
  } finally {
    await storage.close()
    await drop()
  }
})

test('what waits for a transaction of the storage that does not end is refused in time, and not written after it', async () => {
  const { address, drop } = await sqlite.create()
  if (address.dialect !== 'sqlite') throw new Error('not SQLite')
  const storage = sqliteStorage({ file: address.file, lockWaitSeconds: 0 })
  await storage.migrate()
  await openShop(storage)
  const { open, end } = await openTransaction(storage)
  const refused = await Promise.allSettled([
    storage.payments.start(attempt(), NOW),
    storage.payments.start(attempt(), NOW),
    storage.transaction(async transaction => transaction.payments.start(attempt(), NOW)),
  ])
  expect(refused.map(one => `${(one as PromiseRejectedResult).reason?.message}`)).toEqual(
    Array(3).fill(`a transaction of this process has held the lock of ${address.file} for 5 seconds`),
  )
  const late = storage.payments.start(attempt(), NOW)
  end()
  await open
  expect((await late).payment.id).toBe(1)
  expect((await storage.payments.list(merchantId, {}, ALL)).total).toBe(1)
  await storage.close()
  await drop()
})

test('what is written once the storage is closed is refused as closed, though a transaction of the host is open', async () => {
  const { address, drop } = await sqlite.create()
  if (address.dialect !== 'sqlite') throw new Error('not SQLite')
  const storage = sqliteStorage({ file: address.file })
  await storage.migrate()
  await openShop(storage)
  const { open, end } = await openTransaction(storage)
  await storage.close()
  await expect(storage.payments.start(attempt(), NOW)).rejects.toThrow('the storage is closed')
  await expect(storage.transaction(async () => {})).rejects.toThrow('the storage is closed')
  end()
  await expect(open).rejects.toThrow('the storage is closed')
  await drop()
})
