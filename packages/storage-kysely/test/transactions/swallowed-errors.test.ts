import type { Storage } from '@tillkit/storage'
import { sql, type Transaction } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { CommitUnknownError, DatabaseError, kyselyStorage } from '../../src/index.ts'
import { type HostTables, hostDatabaseAt, PATIENT, storageAt } from '../engines/address.ts'
import { inAShop } from '../engines/in-a-shop.ts'
import { overMysql, overPostgres } from '../engines/index.ts'
import { openSession } from '../faults/session.ts'
import { ALL, attempt, merchantId, NOW, openShop } from '../faults/shop.ts'

const idsOf = async ({ payments }: Storage, of: string) =>
  (await payments.list(of, {}, ALL)).items.map(({ id }) => id)

overMysql(({ create }) => {
  const shop = inAShop(create)

  test.each([
    ['storage.transaction', false],
    ["a host's own transaction", true],
  ])('a deadlock that the work of %s swallows: that is told that nothing is there', async (_, ofHost) => {
    await openShop(shop.storage, 'one')
    await openShop(shop.storage, 'two')
    const db = hostDatabaseAt(shop.database.address)
    const storage = storageAt(shop.database.address)
    onTestFinished(async () => {
      await storage.close()
      await db.destroy()
    })
    const within = (work: (inside: Storage) => Promise<unknown>): Promise<unknown> =>
      ofHost
        ? db.transaction().execute(trx => work(kyselyStorage(trx, 'mysql', PATIENT)))
        : storage.transaction(work)
    const start = (inside: Storage, of: string) => inside.payments.start(attempt({ merchantId: of }), NOW)
    const both = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const swallowed: unknown[] = []
    const crossing = [
      ['one', 'two'],
      ['two', 'one'],
    ].map(([first = '', second = ''], n) =>
      within(async inside => {
        await start(inside, first)
        both[n]?.resolve()
        await Promise.all(both.map(({ promise }) => promise))
        await start(inside, second).catch(error => swallowed.push(error))
        // What reads answer then says nothing of the transaction.
        await inside.payments.list(first, {}, ALL)
      }),
    )
    const ended = await Promise.allSettled(crossing)
    expect(swallowed.length).toBe(1)
    const [refused] = ended.flatMap(one => (one.status === 'rejected' ? [one.reason] : []))
    expect(ended.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(refused).toBeInstanceOf(DatabaseError)
    expect(refused).not.toBeInstanceOf(CommitUnknownError)
    expect(refused).toMatchObject({
      message: expect.stringMatching(/^the database undid the transaction/),
      cause: { errno: 1213 },
    })
    for (const of of ['one', 'two']) expect(await idsOf(shop.storage, of)).toEqual([1])
  })

  /** A transaction of the host's that has swallowed what a lock ended in that was waited for in vain. */
  async function afterLockWait(work: (trx: Transaction<HostTables>) => Promise<unknown>) {
    await openShop(shop.storage, 'one')
    const db = hostDatabaseAt(shop.database.address)
    const session = await openSession(shop.database.address)
    onTestFinished(() => db.destroy())
    await session.run('begin')
    await session.run(`select * from ${session.table('ledgers')} where merchant_id = 'one' for update`)
    await db.transaction().execute(async trx => {
      const inside = kyselyStorage(trx, 'mysql', PATIENT)
      await inside.payments.start(attempt(), NOW)
      await sql`set session innodb_lock_wait_timeout = 1`.execute(trx)
      await expect(inside.payments.start(attempt({ merchantId: 'one' }), NOW)).rejects.toThrow()
      await work(trx)
    })
    await session.close()
  }

  test('a lock that was waited for in vain, and is swallowed, leaves the transaction as it is', async () => {
    await afterLockWait(async () => {})
    expect(await idsOf(shop.storage, merchantId)).toEqual([1])
  })

  test('what is called while a commit asks whether the transaction was undone is refused, by whatever storage', async () => {
    const late: Promise<unknown>[] = []
    await afterLockWait(async trx => {
      void (async () => {
        for (let n = 0; n < 20; n++) {
          await null
          const another = kyselyStorage(trx, 'mysql', PATIENT)
          late.push(another.payments.start(attempt(), NOW).catch(error => error.message))
        }
      })()
    })
    const told = await Promise.all(late)
    const inIt = told.filter(one => typeof one !== 'string')
    expect(told.slice(inIt.length)).toEqual(
      Array(20 - inIt.length).fill(expect.stringMatching(/^the transaction has ended/)),
    )
    expect(inIt.length).toBeLessThan(3)
    expect((await idsOf(shop.storage, merchantId)).length).toBe(1 + inIt.length)
  })
})

overPostgres(({ create }) => {
  const shop = inAShop(create)

  test('a read that fails, and is swallowed: the commit is known to be none', async () => {
    const storage = storageAt(shop.database.address, {}, { lockTimeoutSeconds: 0.2 })
    const session = await openSession(shop.database.address)
    await session.run('begin')
    await session.run(`lock table ${session.table('api_keys')} in access exclusive mode`)
    const work = storage.transaction(async inside => {
      await inside.payments.start(attempt(), NOW)
      await expect(inside.apiKeys.list(merchantId)).rejects.toThrow('lock timeout')
    })
    const refused: unknown = await work.catch(error => error)
    await session.close()
    await storage.close()
    expect(refused).toBeInstanceOf(DatabaseError)
    expect(refused).not.toBeInstanceOf(CommitUnknownError)
    expect((refused as Error).message).toMatch(/^the database rolled the transaction back/)
    expect(await idsOf(shop.storage, merchantId)).toEqual([])
  })
})
