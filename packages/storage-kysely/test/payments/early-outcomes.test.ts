import mysql from 'mysql2'
import { expect, test } from 'vitest'
import { mysqlStorage } from '../../src/mysql/index.ts'
import { PATIENT, storageAt } from '../engines/address.ts'
import { overMysql } from '../engines/index.ts'
import { ALL, attempt, merchantId, NOW, openShop } from '../faults/shop.ts'

type Send = (statement: { sql: string }, answer: (error: unknown, result: unknown) => void) => unknown

overMysql(({ create }) => {
  test('a payment that is there only once its outcome found none to change is given it all the same', async () => {
    const { address, drop } = await create()
    const storage = storageAt(address)
    await storage.migrate()
    await openShop(storage)
    // As a node of a cluster applies what another has committed, in the midst of what is done there.
    let applied = false
    const apply = async (sql: string) => {
      if (applied || !/^update .*tillkit_payments/.test(sql)) return
      applied = true
      await storage.payments.start(attempt(), NOW)
    }
    const pool = mysql.createPool((address as { uri: string }).uri)
    pool.on('connection', connection => {
      const send = connection.execute.bind(connection) as Send
      const late: Send = (statement, answer) =>
        send(statement, (error, result) => {
          void apply(statement.sql).then(() => answer(error, result))
        })
      connection.execute = late as never
    })
    const { payments } = mysqlStorage({ pool, ...PATIENT })
    const resolved = await payments.resolve({ merchantId, id: 1 }, { status: 'completed' }, NOW)
    expect(applied).toBe(true)
    expect(resolved).toMatchObject({ changed: true, payment: { id: 1, status: 'completed' } })
    expect(await storage.payments.get({ merchantId, id: 1 })).toEqual(resolved?.payment)
    expect((await storage.deliveries.list(merchantId, undefined, ALL)).total).toBe(1)
    await pool.promise().end()
    await storage.close()
    await drop()
  })
})
