import { setTimeout as sleep } from 'node:timers/promises'
import { createTill } from '@tillkit/till'
import { sql, type Transaction } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { kyselyStorage } from '../../src/index.ts'
import { type HostTables, PATIENT } from '../engines/address.ts'
import { type HostShop, openHostShop } from '../engines/host-shop.ts'
import { overEveryEngine, overMysql } from '../engines/index.ts'

type Till = ReturnType<typeof createTill>

/** Moments between the steps of a call, and between its statements. */
const MOMENTS = Array.from({ length: 48 }, (_, n) => async () => {
  if (n >= 40) return sleep((n - 40) / 2)
  for (let turn = 0; turn < n; turn++) await null
})

overEveryEngine(({ create }) => {
  let address: HostShop['address']
  let db: HostShop['db']
  let storage: HostShop['storage']
  let till: HostShop['till']
  let close: HostShop['close'] | undefined

  beforeAll(async () => {
    ;({ address, db, storage, till, close } = await openHostShop(create, 'https://shop.example/hook'))
    await db.insertInto('orders').values({ id: 1, note: 'taken' }).execute()
  })

  afterAll(() => close?.())

  const dialect = () => address.dialect
  const inside = (trx: Transaction<HostTables>) =>
    createTill({ storage: kyselyStorage(trx, dialect(), PATIENT) })
  const start = (of: Till) => of.payments.start({ scanCode: 'till-1', totalAmount: 1 })
  const refusedInsert = (trx: Transaction<HostTables>) =>
    trx.insertInto('orders').values({ id: 1, note: 'again' }).execute()

  /** How many payments there are. None is left out, and the shop can take one more. */
  const taken = async () => {
    const { id } = await start(till)
    const ids: number[] = []
    for await (const payment of till.payments.export('shop')) ids.push(payment.id)
    expect(ids).toEqual(Array.from({ length: id }, (_, n) => n + 1))
    return id
  }

  for (const [n, moment] of MOMENTS.entries()) {
    test(`what is under way when the work of storage.transaction throws is undone with it: moment ${n}`, async () => {
      const before = await taken()
      let call: Promise<unknown> = Promise.resolve()
      const work = storage.transaction(trx => {
        call = start(createTill({ storage: trx }))
        return Promise.all([call, thrownAt(moment)])
      })
      await expect(work).rejects.toThrow('the host changed its mind')
      await Promise.allSettled([call])
      expect(await taken()).toBe(before + 1)
    })

    test(`and so it is in a transaction of the host's: moment ${n}`, async () => {
      const before = await taken()
      let call: Promise<unknown> = Promise.resolve()
      const work = db.transaction().execute(trx => {
        call = start(inside(trx))
        return Promise.all([call, thrownAt(moment)])
      })
      await expect(work).rejects.toThrow('the host changed its mind')
      await Promise.allSettled([call])
      expect(await taken()).toBe(before + 1)
    })

    test(`a call that nobody waited for is in the transaction, or is refused: moment ${n}`, async () => {
      const before = await taken()
      let told: Promise<PromiseSettledResult<unknown>[]> = Promise.resolve([])
      await db.transaction().execute(async trx => {
        told = Promise.allSettled([start(inside(trx)), start(inside(trx))])
        await moment()
      })
      const inIt = (await told).filter(({ status }) => status === 'fulfilled')
      expect(await taken()).toBe(before + 1 + inIt.length)
    })
  }

  test('a call behind a statement of the host that is refused is undone', async () => {
    for (let n = 0; n < 30; n++) {
      const before = await taken()
      let call: Promise<unknown> = Promise.resolve()
      const work = db.transaction().execute(trx => {
        const insert = refusedInsert(trx)
        call = start(inside(trx))
        return Promise.all([insert, call])
      })
      await expect(work).rejects.toThrow(/unique|duplicate/i)
      await Promise.allSettled([call])
      expect(await taken()).toBe(before + 1)
    }
  })

  test('a call behind a slow statement of the host, whose rollback is sent meanwhile, is refused', async () => {
    if (dialect() === 'sqlite') return
    const before = await taken()
    let call: Promise<unknown> = Promise.resolve()
    const slow = dialect() === 'mysql' ? sql`select sleep(2)` : sql`select pg_sleep(2)`
    const work = db.transaction().execute(trx => {
      const asked = slow.execute(trx)
      call = start(inside(trx))
      return Promise.all([asked, call, thrownAt(() => sleep(20))])
    })
    await expect(work).rejects.toThrow('the host changed its mind')
    await expect(call).rejects.toThrow(/the transaction has ended/)
    expect(await taken()).toBe(before + 1)
  })

  for (const [n, moment] of MOMENTS.entries()) {
    test(`and where the host commits or rolls back by its own hand: moment ${n}`, async () => {
      const before = await taken()
      const committed = await db.startTransaction().execute()
      const told = Promise.allSettled([start(inside(committed))])
      await moment()
      await committed.commit().execute()
      const inIt = (await told).filter(({ status }) => status === 'fulfilled')
      expect(await taken()).toBe(before + 1 + inIt.length)

      const undone = await db.startTransaction().execute()
      const call = Promise.allSettled([start(inside(undone))])
      await moment()
      await undone.rollback().execute()
      await call
      expect(await taken()).toBe(before + 2 + inIt.length)
    })
  }

  test('of what the work of storage.transaction calls and does not wait for, what has not begun when it is done is refused', async () => {
    const before = await taken()
    let told: Promise<PromiseSettledResult<unknown>[]> = Promise.resolve([])
    await storage.transaction(async trx => {
      const starts = Array.from({ length: 10 }, () => start(createTill({ storage: trx })))
      told = Promise.allSettled(starts)
      await starts[0]
    })
    const ended = await told
    const inIt = ended.filter(({ status }) => status === 'fulfilled')
    expect(inIt.length).toBeLessThan(10)
    for (const one of ended.slice(inIt.length)) {
      expect(one).toMatchObject({ reason: { message: expect.stringMatching(/^the transaction has ended/) } })
    }
    expect(await taken()).toBe(before + 1 + inIt.length)
  })

  test('nothing is written once the host has ended the transaction itself', async () => {
    const before = await taken()
    const refusals: unknown[] = []
    const work = db.transaction().execute(async trx => {
      const early = inside(trx)
      await start(early)
      await sql`rollback`.execute(trx)
      for (const late of [early, inside(trx)]) {
        refusals.push(await start(late).catch(error => error.message))
      }
    })
    await Promise.allSettled([work])
    expect(refusals).toEqual(Array(2).fill(expect.stringMatching(/^the transaction has ended/)))
    expect(await taken()).toBe(before + 1)
  })
})

overMysql(({ create }) => {
  test('nothing is written where a statement of the host has committed by itself', async () => {
    const { till, db, close } = await openHostShop(create)
    onTestFinished(close)
    await db.transaction().execute(async trx => {
      const inside = createTill({ storage: kyselyStorage(trx, 'mysql', PATIENT) })
      await inside.payments.start({ scanCode: 'till-1', totalAmount: 1 })
      await sql`create table of_the_host (id integer)`.execute(trx)
      await expect(inside.payments.start({ scanCode: 'till-1', totalAmount: 1 })).rejects.toThrow(
        /^the transaction has ended/,
      )
    })
    expect((await till.payments.list('shop')).total).toBe(1)
  })
})

async function thrownAt(moment: () => Promise<void>): Promise<never> {
  await moment()
  throw new Error('the host changed its mind')
}
