import type { Payment } from '@tillkit/domain'
import { UnreadableRowError } from '@tillkit/storage'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DatabaseError } from '../../src/index.ts'
import { postgresStorage } from '../../src/postgres/index.ts'
import { askCitus, createOnCitus } from '../engines/citus.ts'
import { countedPool } from '../engines/counted-pool.ts'
import { overCitus } from '../engines/over-citus.ts'
import { attempt, NOW, openShop } from '../faults/shop.ts'

const SHOPS = ['shop-0', 'shop-1', 'shop-2']

/** Reads of one merchant's payments that wait for a connection share the statement that gets it. */
overCitus(() => {
  let database: Awaited<ReturnType<typeof createOnCitus>>
  let narrow: ReturnType<typeof open>
  let payments: Payment[]

  /** A storage of one connection, whose statements are counted. */
  function open(limits: object = {}) {
    const { pool, texts } = countedPool({ connectionString: database.connectionString, max: 1 })
    const over = postgresStorage({ pool, ...limits }, { schema: database.schema })
    const close = async () => {
      await over.close()
      await pool.end()
    }
    return { over, pool, texts, close }
  }

  beforeEach(async () => {
    database = await createOnCitus()
    payments = []
    for (const id of SHOPS) {
      await openShop(database.storage, id)
      for (let n = 0; n < 3; n++) {
        const started = await database.storage.payments.start(attempt({ merchantId: id }), NOW)
        payments.push(started.payment)
      }
    }
    narrow = open()
    await narrow.over.payments.get({ merchantId: 'shop-0', id: 1 })
  })

  afterEach(async () => {
    await narrow.close()
    await database.drop()
  })

  /** What is asked for while there is no connection to be had. */
  async function waiting<Result>(ask: () => Promise<Result>[]): Promise<Promise<Result>[]> {
    const taken = await narrow.pool.connect()
    const asked = ask()
    narrow.texts.length = 0
    taken.release()
    return asked
  }

  test('one statement for each merchant, whatever is asked for, and asked for twice', async () => {
    const keys = SHOPS.flatMap(merchantId => [1, 2, 2, 3, 4].map(id => ({ merchantId, id })))
    const found = await Promise.all(await waiting(() => keys.map(key => narrow.over.payments.get(key))))
    const wanted = keys.map(
      key => payments.find(one => one.merchantId === key.merchantId && one.id === key.id) ?? null,
    )
    expect(found).toEqual(wanted)
    expect(narrow.texts).toHaveLength(SHOPS.length)
  })

  test('nobody has what has the id of no merchant', async () => {
    const asked = ['\0', 'a\0b', ''].flatMap(merchantId => [1, 2].map(id => ({ merchantId, id })))
    const found = await waiting(() => asked.map(key => narrow.over.payments.get(key)))
    expect(await Promise.all(found)).toEqual(asked.map(() => null))
  })

  test('a row that cannot be read is told to whoever asked for it', async () => {
    await askCitus(
      `update "${database.schema}".tillkit_payments set extra = '7' where merchant_id = 'shop-0' and id = 2`,
    )
    const asked = await waiting(() =>
      [1, 2, 3].map(id => narrow.over.payments.get({ merchantId: 'shop-0', id })),
    )
    const [first, second, third] = await Promise.allSettled(asked)
    expect([first, third].map(one => one?.status)).toEqual(['fulfilled', 'fulfilled'])
    expect(second).toMatchObject({ status: 'rejected', reason: expect.any(UnreadableRowError) })
  })

  test('each is told when its own time is over, and those who come later are answered', async () => {
    const hurried = open({ readTimeoutSeconds: 0.3 })
    await hurried.over.payments.get({ merchantId: 'shop-0', id: 1 })
    const taken = await hurried.pool.connect()
    const late = [1, 2].map(id => hurried.over.payments.get({ merchantId: 'shop-0', id }))
    const ends = await Promise.allSettled(late)
    expect(ends.map(one => one.status === 'rejected' && one.reason)).toEqual([
      expect.any(DatabaseError),
      expect.any(DatabaseError),
    ])
    taken.release()
    expect(await hurried.over.payments.get({ merchantId: 'shop-0', id: 3 })).toEqual(payments[2])
    await hurried.close()
  })
})
