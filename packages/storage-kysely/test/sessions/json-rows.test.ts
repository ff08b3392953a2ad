import type { NewPayment } from '@tillkit/domain'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DatabaseStorage } from '../../src/index.ts'
import { storageAt } from '../engines/address.ts'
import type { TestDatabase } from '../engines/engine.ts'
import { overMysql } from '../engines/index.ts'
import { openSession } from '../faults/session.ts'
import { ALL, attempt, merchantId, NOW, openShop } from '../faults/shop.ts'

/** In which no such text can be said. */
const TEXT = 'Grüße an 誠 😀 \u2028 \\ " \' \u0001'

/** What is written together is sent as one text of JSON, which a server reads by types and a character set. */
overMysql(({ create }) => {
  let database: TestDatabase
  let storage: DatabaseStorage

  beforeAll(async () => {
    database = await create()
    const session = await openSession(database.address)
    await session.run('alter database character set latin1')
    await session.close()
    storage = storageAt(database.address)
    await storage.migrate()
    await openShop(storage)
  })

  afterAll(async () => {
    await storage.close()
    await database.drop()
  })

  const startTogether = (fields: (n: number) => Partial<NewPayment>) =>
    Promise.allSettled(Array.from({ length: 20 }, (_, n) => storage.payments.start(attempt(fields(n)), NOW)))

  test('texts are what they were, whatever characters the database has by default', async () => {
    const texts = { userReference: TEXT, merchantReference: TEXT, deviceSerialNumber: TEXT }
    for (const one of await startTogether(() => ({ ...texts, extra: { text: TEXT } }))) {
      expect(one).toMatchObject({ status: 'fulfilled' })
    }
    const { items } = await storage.payments.list(merchantId, {}, ALL)
    expect(items).toHaveLength(20)
    for (const payment of items) expect(payment).toMatchObject({ ...texts, extra: { text: TEXT } })
  })

  test('half a pair of surrogates is what it is in a payment that starts alone', async () => {
    const userReference = 'half \ud83d'
    const { payment } = await storage.payments.start(attempt({ userReference }), NOW)
    const alone = await storage.payments.get(payment)
    expect(alone?.userReference).toBe(userReference.toWellFormed())
    await startTogether(() => ({ userReference }))
    const { items } = await storage.payments.list(merchantId, {}, ALL)
    expect(items.slice(0, 21).map(one => one.userReference)).toEqual(
      Array.from({ length: 21 }, () => alone?.userReference),
    )
  })

  test('an amount that is no whole number of cents, or too long a text, is refused and never cut', async () => {
    const odd: Partial<NewPayment>[] = [
      { tipAmount: 2 ** 70 },
      { totalAmount: 2 ** 70 },
      { userReference: 'x'.repeat(5000) },
    ]
    for (const fields of odd) {
      const before = (await storage.payments.list(merchantId, {}, ALL)).total
      const ended = await startTogether(n => (n === 12 ? fields : {}))
      expect(ended.map(({ status }) => status)).toEqual(
        ended.map((_, n) => (n === 12 ? 'rejected' : 'fulfilled')),
      )
      expect((await storage.payments.list(merchantId, {}, ALL)).total).toBe(before + 19)
    }
  })
})
