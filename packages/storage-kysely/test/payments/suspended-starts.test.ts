import type { NewPayment } from '@tillkit/domain'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { DatabaseStorage } from '../../src/index.ts'
import { PATIENT, storageAt } from '../engines/address.ts'
import type { TestDatabase } from '../engines/engine.ts'
import { overEveryServer } from '../engines/index.ts'
import { blocked, openSession, type Session } from '../faults/session.ts'
import { ALL, attempt, merchantId, NOW, openShop } from '../faults/shop.ts'

/** Two processes, as far as the database can tell: the one starts, the other suspends. */
overEveryServer(({ create }) => {
  let database: TestDatabase
  let starts: DatabaseStorage
  let suspends: DatabaseStorage
  let session: Session

  beforeEach(async () => {
    database = await create()
    starts = storageAt(database.address, {}, PATIENT)
    suspends = storageAt(database.address, {}, PATIENT)
    await starts.migrate()
    await openShop(starts)
    for (const code of ['till-1', 'till-2']) {
      await starts.scanCodes.add({ code, merchantId, reference: null, createdAt: NOW })
    }
    session = await openSession(database.address)
  })

  afterEach(async () => {
    await session.close()
    await starts.close()
    await suspends.close()
    await database.drop()
  })

  /** Has `change` wait for the merchant's lock, and behind it a start that began before `change` was committed. */
  async function startBehind(change: () => Promise<unknown>, fields: Partial<NewPayment>) {
    await session.run('begin')
    const ledgers = session.table('ledgers')
    await session.run(`select * from ${ledgers} where merchant_id = '${merchantId}' for update`)
    const changing = change()
    const first = await blocked(database.address)
    const starting = starts.payments.start(attempt(fields), NOW).then(
      ({ payment }) => payment.id,
      error => error.code,
    )
    await blocked(database.address, ({ id }) => id !== first.id)
    await session.run('rollback')
    await changing
    return starting
  }

  describe.each([
    ['a payment', {}],
    ['one with an attempt key', { attemptKey: 'a' }],
    ['a strict one', { strict: true, merchantReference: 'a' }],
  ])('%s that began before and gets the lock after', (_, fields) => {
    test('its merchant was suspended is refused', async () => {
      const answer = await startBehind(() => suspends.merchants.suspend(merchantId, NOW), fields)
      expect(answer).toBe('conflict')
      expect((await starts.payments.list(merchantId, {}, ALL)).total).toBe(0)
    })

    test('its scan code was suspended is refused', async () => {
      const answer = await startBehind(() => suspends.scanCodes.suspend('till-1', NOW), fields)
      expect(answer).toBe('conflict')
      expect((await starts.payments.list(merchantId, {}, ALL)).total).toBe(0)
    })

    test('another scan code was suspended is recorded', async () => {
      expect(await startBehind(() => suspends.scanCodes.suspend('till-2', NOW), fields)).toBe(1)
    })

    test('its scan code was resumed is recorded', async () => {
      await suspends.scanCodes.suspend('till-1', NOW)
      expect(await startBehind(() => suspends.scanCodes.resume('till-1'), fields)).toBe(1)
    })
  })
})
