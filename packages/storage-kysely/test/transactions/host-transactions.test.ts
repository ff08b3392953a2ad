import { createTill } from '@tillkit/till'
import type { Transaction } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kyselyStorage } from '../../src/index.ts'
import { type HostTables, PATIENT } from '../engines/address.ts'
import { type HostShop, openHostShop } from '../engines/host-shop.ts'
import { overEveryEngine } from '../engines/index.ts'

overEveryEngine(({ create }) => {
  let address: HostShop['address']
  let db: HostShop['db']
  let storage: HostShop['storage']
  let till: HostShop['till']
  let close: HostShop['close'] | undefined

  beforeAll(async () => {
    ;({ address, db, storage, till, close } = await openHostShop(create, 'https://shop.example/hook'))
  })

  afterAll(() => close?.())

  const orders = async () =>
    (await db.selectFrom('orders').select('id').orderBy('id').execute()).map(({ id }) => id)
  const payments = async () => (await till.payments.list('shop')).items.map(({ id }) => id)
  const dialect = () => address.dialect

  describe('kyselyStorage(trx)', () => {
    test('commits with the host’s own row', async () => {
      const payment = await db.transaction().execute(async trx => {
        await trx.insertInto('orders').values({ id: 1, note: 'tea' }).execute()
        const inside = createTill({ storage: kyselyStorage(trx, dialect(), PATIENT) })
        const started = await inside.payments.start({
          scanCode: 'till-1',
          totalAmount: 100,
          strict: true,
          merchantReference: 'order-1',
        })
        expect(await inside.payments.get('shop', started.id)).toEqual(started)
        return inside.payments.complete(started)
      })
      expect(await orders()).toEqual([1])
      expect(await till.payments.get('shop', 1)).toEqual(payment)
      expect((await till.webhooks.list('shop')).total).toBe(1)
    })

    test('is asked no time of the till’s own accord, and has it', async () => {
      expect([storage.inTransaction ?? false, kyselyStorage(db, dialect()).inTransaction]).toEqual([
        false,
        false,
      ])
      await storage.transaction(async inside => expect(inside.inTransaction).toBe(true))
      await db.transaction().execute(async trx => {
        const inside = kyselyStorage(trx, dialect(), PATIENT)
        expect(inside.inTransaction).toBe(true)
        const after = (await storage.time?.())?.getTime() ?? Number.NaN
        expect((await inside.time?.())?.getTime()).toBeGreaterThanOrEqual(after)
      })
    })

    test('rolls back with the host’s own row, id and all', async () => {
      const work = db.transaction().execute(async trx => {
        await trx.insertInto('orders').values({ id: 2, note: 'never' }).execute()
        const inside = createTill({ storage: kyselyStorage(trx, dialect(), PATIENT) })
        const started = await inside.payments.start({ scanCode: 'till-1', totalAmount: 100 })
        expect(started.id).toBe(2)
        await inside.payments.complete(started)
        await inside.cashUps.create('shop')
        throw new Error('the host changed its mind')
      })
      await expect(work).rejects.toThrow('the host changed its mind')
      expect(await orders()).toEqual([1])
      expect(await payments()).toEqual([1])
      expect((await till.cashUps.list('shop')).total).toBe(0)
      expect((await till.payments.start({ scanCode: 'till-1', totalAmount: 1 })).id).toBe(2)
    })

    test('a refused call leaves nothing behind and the transaction goes on', async () => {
      await db.transaction().execute(async trx => {
        const inside = createTill({ storage: kyselyStorage(trx, dialect(), PATIENT) })
        const taken = { code: 'conflict' }
        await expect(inside.merchants.create({ id: 'shop', name: 'Again' })).rejects.toMatchObject(taken)
        await expect(inside.scanCodes.create('shop', { code: 'till-1' })).rejects.toMatchObject(taken)
        const settlement = { statementReference: 'BANK-1', paymentIds: [1, 99] }
        await expect(inside.payments.settle('shop', settlement)).rejects.toMatchObject({ code: 'not_found' })
        await trx.insertInto('orders').values({ id: 3, note: 'cake' }).execute()
        await inside.payments.start({ scanCode: 'till-1', totalAmount: 3 })
      })
      expect(await orders()).toEqual([1, 3])
      expect((await till.payments.get('shop', 1))?.statementReference).toBe(null)
      expect(await payments()).toEqual([3, 2, 1])
    })

    test('a period is read, and nothing is written that was not asked for', async () => {
      for (const status of ['completed', 'error'] as const) {
        const started = await till.payments.start({ scanCode: 'till-1', totalAmount: 1 })
        await storage.payments.resolve(
          started,
          status === 'error' ? { status, failure: null } : { status },
          null,
        )
      }
      for (const { id, status } of (await till.payments.list('shop')).items) {
        if (status === 'pending') await till.payments.complete({ merchantId: 'shop', id })
      }
      const { reference } = await till.cashUps.create('shop')
      const transaction = db.transaction()
      // SQLite has no such transactions, and MariaDB locks in them what it is to read as it is now.
      const reading = dialect() === 'postgres' ? transaction.setAccessMode('read only') : transaction
      const { total } = await reading.execute(trx =>
        createTill({ storage: kyselyStorage(trx, dialect(), PATIENT) }).cashUps.payments('shop', reference),
      )
      expect(total).toBe((await till.cashUps.payments('shop', reference)).total)
    })

    test('goes on after the host has taken a call back to a savepoint of its own', async () => {
      const before = await payments()
      const trx = await db.startTransaction().execute()
      const inside = createTill({
        storage: kyselyStorage(trx as Transaction<HostTables>, dialect(), PATIENT),
      })
      const start = async () => (await inside.payments.start({ scanCode: 'till-1', totalAmount: 1 })).id
      const first = await start()
      const saved = await trx.savepoint('of_the_host').execute()
      expect(await start()).toBe(first + 1)
      await saved.rollbackToSavepoint('of_the_host').execute()
      expect(await start()).toBe(first + 1)
      await trx.commit().execute()
      expect(await payments()).toEqual([first + 1, first, ...before])
    })

    test('calls made at once take turns', async () => {
      await db.transaction().execute(async trx => {
        const inside = createTill({ storage: kyselyStorage(trx, dialect(), PATIENT) })
        const starts = Array.from({ length: 10 }, () =>
          inside.payments.start({ scanCode: 'till-1', totalAmount: 1 }),
        )
        const ids = (await Promise.all(starts)).map(({ id }) => id)
        expect(ids).toEqual(ids.map((_, n) => (ids[0] ?? 0) + n))
      })
    })
  })

  describe('storage.transaction', () => {
    test('commits everything together', async () => {
      const [one, two] = await storage.transaction(async inside => {
        const both = createTill({ storage: inside })
        const first = await both.payments.start({ scanCode: 'till-1', totalAmount: 1 })
        return [
          await both.payments.fail(first, { failure: 'declined' }),
          await both.payments.start({ scanCode: 'till-1', totalAmount: 2 }),
        ]
      })
      expect(await till.payments.get('shop', one?.id ?? 0)).toEqual(one)
      expect(await till.payments.get('shop', two?.id ?? 0)).toEqual(two)
    })

    test('or nothing, where its work throws', async () => {
      const before = await payments()
      const work = storage.transaction(async inside => {
        await createTill({ storage: inside }).payments.start({ scanCode: 'till-1', totalAmount: 1 })
        throw new Error('no')
      })
      await expect(work).rejects.toThrow('no')
      expect(await payments()).toEqual(before)
    })
  })
})
