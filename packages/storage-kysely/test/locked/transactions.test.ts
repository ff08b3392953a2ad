import { setTimeout as sleep } from 'node:timers/promises'
import mysql from 'mysql2'
import { expect, test } from 'vitest'
import type { DatabaseStorage } from '../../src/index.ts'
import { mysqlStorage } from '../../src/mysql/index.ts'
import { type Address, PATIENT, storageAt } from '../engines/address.ts'
import { inAShop } from '../engines/in-a-shop.ts'
import { overEveryServer, overMysql } from '../engines/index.ts'
import { blocked, openSession } from '../faults/session.ts'
import { attempt, merchantId, NOW } from '../faults/shop.ts'

const start = (storage: DatabaseStorage) =>
  storage.transaction(inside => inside.payments.start(attempt(), NOW))

/** What `work` comes to while another session has the merchant's lock. */
async function whileLocked<Result>(address: Address, work: (unlock: () => unknown) => Promise<Result>) {
  const holder = await openSession(address)
  try {
    await holder.run('begin')
    await holder.run(
      `select * from ${holder.table('ledgers')} where merchant_id = '${merchantId}' for update`,
    )
    return await work(() => holder.run('rollback'))
  } finally {
    await holder.close()
  }
}

overEveryServer(({ create }) => {
  const shop = inAShop(create)

  test('storage.transaction, which is run once, waits for a lock as long as a write does', async () => {
    const { storage, database } = shop
    await whileLocked(database.address, async unlock => {
      const starting = start(storage).catch(error => error)
      await blocked(database.address)
      // Longer than one statement of a write does, which is run again.
      await sleep(2500)
      await unlock()
      expect(await starting).toMatchObject({ payment: { id: 1 } })
    })
  })

  test('and no longer', async () => {
    const hasty = storageAt(shop.database.address, {}, { ...PATIENT, lockTimeoutSeconds: 1 })
    const refused = await whileLocked(shop.database.address, () => start(hasty).catch(error => error))
    await hasty.close()
    expect(refused.message).toMatch(/^the database is too busy with others' transactions: .*lock/i)
  })
})

overMysql(({ create }) => {
  const shop = inAShop(create)

  test("a session of a host's pool waits for locks as before, whatever became of a storage.transaction", async () => {
    const { uri } = shop.database.address as { uri: string }
    const pool = mysql.createPool({ uri, connectionLimit: 1 }).promise()
    await pool.query('set innodb_lock_wait_timeout = 7, lock_wait_timeout = 70')
    const limits = async () =>
      (
        await pool.query<mysql.RowDataPacket[]>(
          'select @@innodb_lock_wait_timeout as own, @@lock_wait_timeout as whole',
        )
      )[0]
    const storage = mysqlStorage({ pool: pool.pool, ...PATIENT, lockTimeoutSeconds: 1 })
    expect((await start(storage)).payment.id).toBe(1)
    expect(await limits()).toEqual([{ own: 7, whole: 70 }])
    const refused = await whileLocked(shop.database.address, () => start(storage).catch(error => error))
    expect(refused.message).toMatch(/Lock wait timeout exceeded/)
    expect(await limits()).toEqual([{ own: 7, whole: 70 }])
    await pool.end()
  })
})
