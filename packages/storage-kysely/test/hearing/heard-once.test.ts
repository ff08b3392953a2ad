import mysql from 'mysql2'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mysqlStorage } from '../../src/mysql/index.ts'
import { PATIENT, storageAt } from '../engines/address.ts'
import type { TestDatabase } from '../engines/engine.ts'
import { overMysql } from '../engines/index.ts'
import { ALL, merchantId, openShop } from '../faults/shop.ts'

overMysql(({ create }) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await create()
    const storage = storageAt(database.address)
    await storage.migrate()
    await openShop(storage)
    await storage.close()
  })
  afterAll(() => database.drop())

  test.each([false, true])(
    'a connection of a host’s pool has one listener, however often it is used, and by whom (resetOnRelease: %s)',
    async resetOnRelease => {
      const { uri } = database.address as { uri: string }
      const pool = mysql.createPool({ uri, connectionLimit: 1, resetOnRelease })
      const listeners = () =>
        new Promise<number>((resolve, reject) => {
          pool.getConnection((error, connection) => {
            if (error) return reject(error)
            resolve(connection.listenerCount('error'))
            connection.release()
          })
        })
      const before = await listeners()
      const storages = [1, 2, 3].map(() => mysqlStorage({ pool, ...PATIENT }))
      for (const storage of storages)
        for (let n = 0; n < 5; n++) await storage.payments.list(merchantId, {}, ALL)
      expect(await listeners()).toBe(before + 1)
      for (const storage of storages) await storage.close()
      await new Promise<void>(resolve => pool.end(() => resolve()))
    },
  )
})
