import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DatabaseError, type DatabaseStorage } from '../../src/index.ts'
import { PATIENT, storageAt } from '../engines/address.ts'
import { inAShop } from '../engines/in-a-shop.ts'
import { overPostgres } from '../engines/index.ts'
import { narrowAt } from '../engines/narrow.ts'
import { holdConnections } from '../faults/hold-connections.ts'
import { openSession, type Session } from '../faults/session.ts'
import { merchantId, NOW, openShop } from '../faults/shop.ts'

/** Whose writes have the connections, where many would. Cash ups share no statement with others. */
overPostgres(({ create }) => {
  const shop = inAShop(create)
  const neighbours = [
    'neighbour-1',
    'neighbour-2',
    'neighbour-3',
    'neighbour-4',
    'neighbour-5',
    'neighbour-6',
  ]
  let holder: Session
  let looker: Session
  let cashUps = 0

  beforeEach(async () => {
    for (const id of neighbours) await openShop(shop.storage, id)
    holder = await openSession(shop.database.address)
    looker = await openSession(shop.database.address)
  })

  afterEach(() => Promise.all([holder.close(), looker.close()]))

  const cashUp = (over: DatabaseStorage, of: string) => {
    cashUps += 1
    const reference = `${cashUps}`.padStart(32, '0')
    return over.cashUps.create(of, { reference, idempotencyKey: null, now: NOW })
  }

  /** A storage that has all its connections: a wait for a lock may be over before the last of many that are slow to be made. */
  const connected = async () => {
    const over = storageAt(shop.database.address)
    const letGo = await holdConnections(over)
    await letGo()
    return over
  }

  const lock = (...ids: string[]) =>
    holder.run(
      `begin; select * from ${holder.table('ledgers')} where merchant_id in ('${ids.join("', '")}') for update`,
    )

  /** Since when each connection is in the transaction in which it waits for a lock. */
  const blocked = async (): Promise<string[]> => {
    const { database } = shop
    const schema = (database.address as { schema: string }).schema
    const rows = await looker.run(
      `select xact_start::text as since from pg_stat_activity
       where wait_event_type = 'Lock' and query like '%${schema}%' order by 1`,
    )
    return rows.map(({ since }) => `${since}`)
  }

  /** Until so many that wait for a lock together have all waited in vain. */
  const waitedInVain = async (count: number) => {
    let first: string[] = []
    while (first.length < count) first = await blocked()
    const last = first.at(-1) ?? ''
    while ((await blocked()).some(since => since <= last)) await sleep(20)
  }

  test('a merchant with one write has its turn before all of another’s many', async () => {
    const narrow = narrowAt(shop.database.address)
    await cashUp(narrow.over, merchantId) // which makes the pool, of one connection
    const order: string[] = []
    const writes = [...Array.from({ length: 20 }, () => merchantId), ...neighbours]
    await Promise.all(writes.map(async of => order.push((await cashUp(narrow.over, of)) && of)))
    // The first two of them came before anybody else did.
    expect(order.slice(2).indexOf(merchantId)).toBe(neighbours.length)
    await narrow.over.close()
    await narrow.close()
  })

  test('merchants whose lock is not to be had wait for it over two of ten connections', async () => {
    const over = await connected()
    await lock(...neighbours)
    const waiting = neighbours.map(of => cashUp(over, of))
    await waitedInVain(neighbours.length)
    for (let looks = 0; looks < 150; looks++) {
      expect((await blocked()).length).toBeLessThanOrEqual(2)
      await sleep(20)
    }
    await holder.run('rollback')
    await Promise.all(waiting)
    await over.close()
  })

  test('writes that wait in vain, however many come after each other, leave connections to others', async () => {
    const over = storageAt(shop.database.address, {}, { ...PATIENT, lockTimeoutSeconds: 0.5 })
    await lock(merchantId)
    const waiting: Promise<unknown>[] = []
    for (let rounds = 0; rounds < 30; rounds++) {
      for (let n = 0; n < 4; n++) waiting.push(cashUp(over, merchantId).catch(error => error))
      expect((await blocked()).length).toBeLessThanOrEqual(3)
      await sleep(50)
    }
    for (const refused of await Promise.all(waiting)) {
      expect(refused).toBeInstanceOf(DatabaseError)
      expect((refused as Error).message).toContain(`the lock of merchant ${merchantId}`)
    }
    await holder.run('rollback')
    for (const of of [merchantId, ...neighbours]) await cashUp(over, of)
    await over.close()
  })

  test('over one connection, writes whose turn did not come take none from those that come later', async () => {
    const narrow = narrowAt(shop.database.address, { ...PATIENT, lockTimeoutSeconds: 0.5 })
    await cashUp(narrow.over, merchantId) // which makes the pool
    await lock(merchantId)
    const waiting = [1, 2, 3].map(() => cashUp(narrow.over, merchantId))
    for (const ended of await Promise.allSettled(waiting)) {
      expect(ended).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseError) })
    }
    await holder.run('rollback')
    for (const of of [merchantId, ...neighbours]) await cashUp(narrow.over, of)
    await narrow.over.close()
    await narrow.close()
  })

  test('over one connection, a merchant whose lock was not to be had has another turn', async () => {
    const narrow = narrowAt(shop.database.address)
    await lock(merchantId)
    const waiting = cashUp(narrow.over, merchantId)
    await waitedInVain(1)
    await holder.run('rollback')
    await waiting
    await narrow.over.close()
    await narrow.close()
  })

  test('over one connection, a write that did not get the lock is before those of its merchant that came after it', async () => {
    const narrow = narrowAt(shop.database.address)
    await cashUp(narrow.over, merchantId) // which makes the pool
    await lock(merchantId)
    const order: number[] = []
    const waiting = [1, 2, 3].map(async n => order.push((await cashUp(narrow.over, merchantId)) && n))
    let [first] = await blocked()
    while (!first) [first] = await blocked()
    // Until the second of them waits for it, and the first one for another turn.
    let [second = first] = await blocked()
    while (second === first) [second = first] = await blocked()
    await holder.run('rollback')
    await Promise.all(waiting)
    expect(order.indexOf(1)).toBeLessThan(order.indexOf(3))
    await narrow.over.close()
    await narrow.close()
  })

  test('writes that wait for locks leave one of ten connections to reads', async () => {
    const over = await connected()
    const many = Array.from({ length: 12 }, (_, n) => `one-of-many-${n}`)
    for (const id of many) await openShop(shop.storage, id)
    await lock(...many)
    const waiting = many.map(of => cashUp(over, of))
    while ((await blocked()).length < 9) await sleep(5)
    for (let looks = 0; looks < 20; looks++) {
      expect((await blocked()).length).toBeLessThanOrEqual(9)
      await sleep(5)
    }
    await holder.run('rollback')
    await Promise.all(waiting)
    await over.close()
  })

  test('a merchant whose lock was to be had again has several writes under way again', async () => {
    const over = await connected()
    await lock(merchantId)
    let isOver = false
    const waiting = Array.from({ length: 60 }, async () => {
      while (!isOver) await cashUp(over, merchantId)
    })
    await waitedInVain(3)
    let most = (await blocked()).length
    expect(most).toBeLessThanOrEqual(1)
    // However many of them have it before the holder has it again, others come after them.
    while (most < 2) {
      await holder.run('rollback')
      await lock(merchantId)
      for (let looks = 0; looks < 20 && most < 2; looks++) most = Math.max(most, (await blocked()).length)
    }
    isOver = true
    await holder.run('rollback')
    await Promise.all(waiting)
    await over.close()
  })
})
