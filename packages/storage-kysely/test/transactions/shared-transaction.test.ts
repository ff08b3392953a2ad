import { createTill } from '@tillkit/till'
import fc from 'fast-check'
import type { Transaction } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kyselyStorage } from '../../src/index.ts'
import { sqliteStorage } from '../../src/sqlite/index.ts'
import { type HostTables, PATIENT } from '../engines/address.ts'
import { type HostShop, openHostShop } from '../engines/host-shop.ts'
import { overEveryEngine } from '../engines/index.ts'

type Till = ReturnType<typeof createTill>

overEveryEngine(({ create }) => {
  let address: HostShop['address']
  let db: HostShop['db']
  let till: HostShop['till']
  let close: HostShop['close'] | undefined

  beforeAll(async () => {
    ;({ address, db, till, close } = await openHostShop(create))
  })

  afterAll(() => close?.())

  const newest = async () => (await till.payments.list('shop', { perPage: 1 })).items[0]?.id ?? 0
  const recorded = async (from: number) =>
    (await till.payments.list('shop', { perPage: 100 })).items
      .map(({ id }) => id)
      .filter(id => id > from)
      .reverse()

  /** Two tills over one transaction, by three of its forms. */
  const tillsOver = (trx: Transaction<HostTables>): Till[] =>
    [trx, trx.withoutPlugins() as Transaction<HostTables>, trx.withTables<{ more: { id: number } }>()].map(
      over => createTill({ storage: kyselyStorage(over, address.dialect, PATIENT), logger: false }),
    )

  test('several tills over one transaction, calls of all at once and the host’s between', async () => {
    let orders = 0
    const call = fc.tuple(fc.nat(2), fc.constantFrom('start', 'refused', 'strict', 'read', 'order'))
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 2, maxLength: 25 }), async calls => {
        const before = await newest()
        const said = await db.transaction().execute(async trx => {
          const tills = tillsOver(trx)
          const answers = await Promise.all(
            calls.map(async ([n, what]) => {
              const one = tills[n] as Till
              const payment = { scanCode: 'till-1', totalAmount: 1 }
              if (what === 'start') return (await one.payments.start(payment)).id
              if (what === 'strict') {
                return (await one.payments.start({ ...payment, strict: true, merchantReference: 'once' })).id
              }
              if (what === 'order') {
                orders += 1
                await trx.insertInto('orders').values({ id: orders, note: 'tea' }).execute()
              }
              if (what === 'read') await one.payments.list('shop', { perPage: 1 })
              // It writes, and takes back what it wrote.
              if (what === 'refused') {
                const refusal = one.merchants.create({ id: 'shop', name: 'Again' })
                await expect(refusal).rejects.toMatchObject({ code: 'conflict' })
              }
              return null
            }),
          )
          return answers.filter(id => id !== null).sort((a, b) => a - b)
        })
        expect(await recorded(before)).toEqual(said)
        expect(said).toEqual(said.map((_, n) => before + 1 + n))
        expect((await db.selectFrom('orders').select('id').execute()).length).toBe(orders)
        // The ledger is where the rows are: the next id follows.
        expect((await till.payments.start({ scanCode: 'till-1', totalAmount: 1 })).id).toBe(
          (await newest()) || 1,
        )
      }),
      { numRuns: Number(process.env.TILLKIT_RUNS ?? 30) / 3 },
    )
  }, 120_000)

  test('two tills, thirty payments at once', async () => {
    const before = await newest()
    const ids = await db.transaction().execute(async trx => {
      const tills = tillsOver(trx)
      const starts = Array.from({ length: 30 }, (_, n) =>
        (tills[n % 2] as Till).payments.start({ scanCode: 'till-1', totalAmount: 1 }),
      )
      return (await Promise.all(starts)).map(({ id }) => id)
    })
    expect(await recorded(before)).toEqual(ids.toSorted((a, b) => a - b))
    expect((await till.payments.start({ scanCode: 'till-1', totalAmount: 1 })).id).toBe(before + 31)
  })
})

describe.each(['a file', ':memory:'])('SQLite, %s', where => {
  test('inside storage.transaction, the storage outside says so instead of waiting for itself', async () => {
    const { file, drop } = await place(where)
    const storage = sqliteStorage({ file })
    await storage.migrate()
    const till = createTill({ storage, logger: false })
    await till.merchants.create({ id: 'shop', name: 'Shop' })
    const says = {
      code: 'invalid_input',
      message: expect.stringContaining('use the storage that its work is handed'),
    }

    await storage.transaction(async inside => {
      await expect(till.merchants.update('shop', { name: 'Outside' })).rejects.toMatchObject(says)
      await expect(storage.transaction(async () => {})).rejects.toMatchObject(says)
      await expect(storage.migrate()).rejects.toMatchObject(says)
      if (file === ':memory:') await expect(storage.merchants.get('shop')).rejects.toMatchObject(says)
      else expect((await storage.merchants.get('shop'))?.name).toBe('Shop')
      const till2 = createTill({ storage: inside, logger: false })
      await till2.merchants.update('shop', { name: 'Inside' })
    })
    expect((await till.merchants.get('shop'))?.name).toBe('Inside')

    // What goes on after the transaction that started it is outside of it.
    let later = Promise.resolve()
    await storage.transaction(async () => {
      later = new Promise(resolve => setTimeout(resolve, 20)).then(async () => {
        await till.merchants.update('shop', { name: 'Later' })
      })
    })
    await later
    expect((await till.merchants.get('shop'))?.name).toBe('Later')
    await storage.close()
    await drop()
  })
})

async function place(where: string): Promise<{ file: string; drop(): Promise<void> }> {
  if (where === ':memory:') return { file: where, drop: async () => {} }
  const { sqlite } = await import('../engines/sqlite.ts')
  const { address, drop } = await sqlite.create()
  if (address.dialect !== 'sqlite') throw new Error('not SQLite')
  return { file: address.file, drop }
}
