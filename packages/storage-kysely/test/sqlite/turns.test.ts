import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { sqliteStorage } from '../../src/sqlite/index.ts'
import { sqlite } from '../engines/sqlite.ts'
import { ALL, attempt, merchantId, NOW, openShop } from '../faults/shop.ts'

/** Longer than a write takes that waits for nobody. */
const SOME_TURNS = 50

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
