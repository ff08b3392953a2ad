import { expect, test } from 'vitest'
import { DatabaseError, type DatabaseStorage } from '../../src/index.ts'
import { PATIENT, storageAt } from '../engines/address.ts'
import { inAShop } from '../engines/in-a-shop.ts'
import { overEveryServer } from '../engines/index.ts'
import { openSession } from '../faults/session.ts'
import { attempt, merchantId, NOW } from '../faults/shop.ts'

const BUSY = /^the database is too busy with others' transactions: .*lock/i

/** Another session has the whole table, as a backup or a change of it may. */
overEveryServer(({ create }) => {
  const shop = inAShop(create)

  /** What the call ends in meanwhile. */
  async function refusalOf(call: (storage: DatabaseStorage) => Promise<unknown>): Promise<Error> {
    const { address } = shop.database
    const limits = { ...PATIENT, lockTimeoutSeconds: 1, readTimeoutSeconds: 5, writeTimeoutSeconds: 30 }
    const storage = storageAt(address, {}, limits)
    const session = await openSession(address)
    try {
      const payments = session.table('payments')
      if (address.dialect === 'postgres') await session.run(`begin; lock table ${payments}`)
      else await session.run(`lock tables ${payments} write`)
      return await call(storage).then(
        () => expect.unreachable('it was not locked'),
        error => error,
      )
    } finally {
      await session.close()
      await storage.close()
    }
  }

  test('a read says that others are at it, and not that nothing answered', async () => {
    const refused = await refusalOf(({ payments }) => payments.get({ merchantId, id: 1 }))
    expect(refused).toBeInstanceOf(DatabaseError)
    expect(refused.message).toMatch(BUSY)
    expect(refused.cause).toBeInstanceOf(Error)
  })

  test('a write waits as long as for a locked merchant, and says that it did', async () => {
    const refused = await refusalOf(({ payments }) => payments.start(attempt(), NOW))
    expect(refused.message).toMatch(/^the lock of merchant shop was not to be had for 1 seconds/)
  })

  test('storage.transaction does as well', async () => {
    const refused = await refusalOf(storage =>
      storage.transaction(({ payments }) => payments.get({ merchantId, id: 1 })),
    )
    expect(refused.message).toMatch(BUSY)
  })
})
