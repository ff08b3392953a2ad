import { setTimeout as sleep } from 'node:timers/promises'
import type { Storage } from '@tillkit/storage'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DatabaseError, type DatabaseStorage, kyselyStorage } from '../../src/index.ts'
import { hostDatabaseAt, PATIENT, placeOf } from '../engines/address.ts'
import { inAShop } from '../engines/in-a-shop.ts'
import { overEveryServer } from '../engines/index.ts'
import { narrowAt } from '../engines/narrow.ts'
import { openSession, PROCESSES, type Session } from '../faults/session.ts'
import { ALL, attempt, merchantId, NOW, openShop } from '../faults/shop.ts'

const neighbour = 'neighbour'
const CODE = 'code-of-neighbour'

/** Lists that take as long as another session says, which has a table that nothing else reads. */
overEveryServer(({ create }) => {
  const shop = inAShop(create)
  let holder: Session
  let looker: Session

  beforeEach(async () => {
    await openShop(shop.storage, neighbour)
    await shop.storage.scanCodes.add({ code: CODE, merchantId: neighbour, reference: null, createdAt: NOW })
    holder = await openSession(shop.database.address)
    looker = await openSession(shop.database.address)
  })

  afterEach(() => Promise.all([holder.close(), looker.close()]))

  const lock = (name = 'cash_ups') => {
    const table = holder.table(name)
    return shop.database.address.dialect === 'postgres'
      ? holder.run(`begin; lock table ${table} in access exclusive mode`)
      : holder.run(`lock tables ${table} write`)
  }
  const letGo = () => holder.run(shop.database.address.dialect === 'postgres' ? 'rollback' : 'unlock tables')

  /** How many connections wait for that table. */
  const blocked = async (): Promise<number> => {
    const { address } = shop.database
    const rows = await looker.run(
      address.dialect === 'postgres'
        ? `select pid from pg_stat_activity where wait_event_type = 'Lock' and query like '%${address.schema}%'`
        : `select id from ${PROCESSES} where db = database() and state like 'Waiting for table%'`,
    )
    return rows.length
  }

  /** Of ten connections, each of which waits as long as the table is locked. */
  const open = (limits = PATIENT) => narrowAt(shop.database.address, limits, 10)

  const list = (over: Storage, of = merchantId) => over.cashUps.list(of, ALL)

  /** What another merchant, and whoever looks at the process, asks for. */
  async function getOn(over: DatabaseStorage): Promise<void> {
    const { payment } = await over.payments.start(attempt({ merchantId: neighbour }), NOW)
    expect(await over.payments.get(payment)).toMatchObject({ id: payment.id })
    expect(await over.scanCodes.find(CODE)).toMatchObject({ merchant: { id: neighbour } })
    expect(await over.time?.()).toBeInstanceOf(Date)
  }

  test('one merchant’s have three of ten connections, and others get on', async () => {
    const { over, close } = open()
    await lock()
    let answered = 0
    const lists = Array.from({ length: 30 }, async () => {
      const page = await list(over)
      answered += 1
      return page
    })
    while ((await blocked()) < 3) await sleep(20)
    for (let round = 0; round < 10; round++) {
      await getOn(over)
      expect(await over.payments.list(neighbour, {}, ALL)).toMatchObject({ total: round + 1 })
      expect(await blocked()).toBe(3)
    }
    expect(answered).toBe(0)
    await letGo()
    expect(await Promise.all(lists)).toEqual(lists.map(() => ({ items: [], total: 0 })))
    await over.close()
    await close()
  })

  test('those by a reference have three of ten of their own, and wait for no other list of their merchant', async () => {
    const { over, close } = open()
    await over.payments.start(attempt({ merchantReference: 'TABLE-5' }), NOW)
    const find = () => over.payments.list(merchantId, { merchantReference: 'TABLE-5' }, ALL)
    await lock()
    const lists = Array.from({ length: 30 }, () => list(over))
    while ((await blocked()) < 3) await sleep(20)
    expect(await find()).toMatchObject({ total: 1 })
    await letGo()
    await Promise.all(lists)

    await lock('payments')
    const found = Array.from({ length: 30 }, find)
    while ((await blocked()) < 3) await sleep(20)
    for (let round = 0; round < 10; round++) {
      expect(await over.scanCodes.find(CODE)).toMatchObject({ merchant: { id: neighbour } })
      expect(await list(over)).toMatchObject({ total: 0 })
      expect(await blocked()).toBe(3)
    }
    await letGo()
    expect(await Promise.all(found)).toMatchObject(found.map(() => ({ total: 1 })))
    await over.close()
    await close()
  })

  test('those of many merchants leave three of ten connections to others', async () => {
    const { over, close } = open()
    await lock()
    const many = Array.from({ length: 5 }, (_, n) => `one-of-many-${n}`)
    const lists = many.flatMap(of => Array.from({ length: 10 }, () => list(over, of)))
    while ((await blocked()) < 7) await sleep(20)
    for (let round = 0; round < 10; round++) {
      const { payment } = await over.payments.start(attempt({ merchantId: neighbour }), NOW)
      expect(await over.payments.get(payment)).toMatchObject({ id: payment.id })
      expect(await over.scanCodes.find(CODE)).toMatchObject({ merchant: { id: neighbour } })
      expect(await blocked()).toBe(7)
    }
    await letGo()
    await Promise.all(lists)
    await over.close()
    await close()
  })

  test('what is given up makes room for what comes later', async () => {
    const { over, close } = open({ ...PATIENT, readTimeoutSeconds: 2 })
    await lock()
    const ended = await Promise.allSettled(Array.from({ length: 12 }, () => list(over)))
    for (const each of ended)
      expect(each).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseError) })
    const messages = ended.map(each => `${(each as PromiseRejectedResult).reason.message}`)
    const late = messages.filter(message => message.includes(`a list of merchant ${merchantId} waited`))
    expect(late).toHaveLength(9)
    await letGo()
    // A busy machine may take longer than that to make connections anew.
    while (!(await list(over).catch(() => null))) await sleep(20)
    await over.close()
    await close()
  })

  test('over a Kysely of the host’s, what is given up keeps its turn until the driver is done with it', async () => {
    const { address } = shop.database
    const db = hostDatabaseAt(address)
    const over = kyselyStorage(db, address.dialect, { ...placeOf(address), readTimeoutSeconds: 1 })
    const lists = () => Promise.allSettled(Array.from({ length: 6 }, () => list(over)))
    await lock()
    // A busy machine may take longer than that to make connections.
    while ((await blocked()) < 3) await lists()
    const late = expect.stringContaining(`a list of merchant ${merchantId} waited`)
    for (const each of await lists())
      expect(each).toMatchObject({ status: 'rejected', reason: { message: late } })
    expect(await blocked()).toBe(3)
    await letGo()
    while (!(await list(over).catch(() => null))) await sleep(20)
    await db.destroy()
  })
})
