import type { NewPayment } from '@tillkit/domain'
import { beforeEach, expect, test } from 'vitest'
import type { Engine } from '../engines/engine.ts'
import { inAShop } from '../engines/in-a-shop.ts'
import { overEveryServer, overMariadb, overPostgres } from '../engines/index.ts'
import { narrowAt } from '../engines/narrow.ts'
import { blocked, openSession, type Session } from '../faults/session.ts'
import { ALL, attempt, merchantId, NOW } from '../faults/shop.ts'

const COUNT = 12
const LATER = '2026-11-20T09:31:00.000Z'

/** A shop, and a session that holds its lock. */
function inALockedShop({ create }: Engine) {
  const shop = inAShop(create)
  let session: Session

  beforeEach(async () => {
    await shop.storage.scanCodes.add({ code: 'till-1', merchantId, reference: null, createdAt: NOW })
    session = await openSession(shop.database.address)
    return () => session.close()
  })

  const ledgers = () => session.table('ledgers')
  return {
    storage: () => shop.storage,
    narrow: () => narrowAt(shop.database.address),
    session: () => session,
    hold: async () => {
      await session.run('begin')
      await session.run(`select * from ${ledgers()} where merchant_id = '${merchantId}' for update`)
    },
    another: () => openSession(shop.database.address),
    blocked: (wanted?: Parameters<typeof blocked>[1]) => blocked(shop.database.address, wanted),
    /** So many starts at once, and what each is told. */
    start: (now = NOW, fields: Partial<NewPayment> = {}, count = COUNT) => {
      const starting = Array.from({ length: count }, () => shop.storage.payments.start(attempt(fields), now))
      return Promise.all(
        starting.map(one => one.then(({ payment }) => payment.id).catch(error => error.code)),
      )
    },
    total: async () => (await shop.storage.payments.list(merchantId, {}, ALL)).total,
  }
}

const REFUSED = Array(COUNT).fill('conflict')

/** Starts that wait together, and are refused. */
overEveryServer(engine => {
  const shop = inALockedShop(engine)

  test.each([
    ['merchant', () => shop.storage().merchants.suspend(merchantId, NOW)],
    ['scan code', () => shop.storage().scanCodes.suspend('till-1', NOW)],
  ])(
    'whose %s is suspended: each is, and what comes after is numbered and dated as if they had never been',
    async (_, suspend) => {
      await suspend()
      await shop.hold()
      const starting = shop.start(LATER)
      await shop.blocked()
      await shop.session().run('rollback')
      expect(await starting).toEqual(REFUSED)
      expect(await shop.total()).toBe(0)
      await shop.storage().merchants.resume(merchantId)
      const { payment } = await shop.storage().payments.start(attempt({ scanCode: 'till-2' }), NOW)
      expect([payment.id, payment.date]).toEqual([1, '2026-11-20T09:30:00Z'])
    },
  )

  test('by an attempt key that is known, or by a scan code: those beside them are written together all the same', async () => {
    await shop.storage().payments.start(attempt({ attemptKey: 'known' }), NOW)
    await shop.storage().scanCodes.suspend('till-1', NOW)
    const { over, texts, transactions, close } = shop.narrow()
    await over.payments.get({ merchantId, id: 1 })
    texts.length = 0
    await shop.hold()
    const start = (fields: Partial<NewPayment>) =>
      over.payments.start(attempt({ scanCode: 'till-2', ...fields }), NOW)
    const others = (count: number) =>
      Array.from({ length: count }, (_, n) => start({ attemptKey: `${count} ${n}` }))
    const before = others(20)
    const again = start({ attemptKey: 'known' })
    const suspended = start({ scanCode: 'till-1' }).catch(error => error.code)
    const after = others(19)
    await shop.blocked()
    await shop.session().run('rollback')
    const told = await Promise.all([...before, ...after])
    expect(told.every(({ created }) => created)).toBe(true)
    expect(await again).toMatchObject({ created: false, payment: { id: 1 } })
    expect(await suspended).toBe('conflict')
    // Two go before the others, and two after them.
    expect(transactions()).toBeLessThan(10)
    await close()
    const { items } = await shop.storage().payments.list(merchantId, {}, ALL)
    expect(items.map(({ id }) => id)).toEqual(Array.from({ length: 40 }, (_, n) => 40 - n))
  })
})

/** On PostgreSQL one statement starts them all: what is committed before it has the lock it must not miss. */
overPostgres(engine => {
  const shop = inALockedShop(engine)

  test.each([
    ['merchant', 'ledgers', `suspensions = suspensions + 1, suspended_at = now()`],
    ['scan code', 'scan_codes', 'suspended_at = now()'],
  ])('whose %s is suspended after they were sent: each is refused', async (_, table, change) => {
    await shop.hold()
    // These go by themselves, and fail without the lock: those after them go together.
    const failing = shop.start(NOW, { totalAmount: 2 ** 70 }, 2)
    const starting = shop.start()
    await failing
    await shop.blocked()
    const { run, table: named } = shop.session()
    await run(`update ${named(table)} set ${change} where merchant_id = '${merchantId}'`)
    if (table !== 'ledgers') await run(`update ${named('ledgers')} set suspensions = suspensions + 1`)
    await run('commit')
    expect(await starting).toEqual(REFUSED)
    expect(await shop.total()).toBe(0)
  })
})

/** On MariaDB the lock comes first, whose waiters have it in the order in which they came. */
overMariadb(engine => {
  const shop = inALockedShop(engine)

  test('whose merchant is being suspended as they are sent: each is refused', async () => {
    const { run, table } = shop.session()
    await shop.hold()
    const alone = [shop.start(NOW, {}, 1), shop.start(NOW, {}, 1)]
    const first = await shop.blocked()
    const second = await shop.blocked(({ id }) => id !== first.id)
    const suspending = await shop.another()
    await suspending.run('begin')
    const suspended = suspending.run(
      `update ${table('ledgers')} set suspended_at = now() where merchant_id = '${merchantId}'`,
    )
    await shop.blocked(({ id }) => id !== first.id && id !== second.id)
    const starting = shop.start()
    await run('rollback')
    expect((await Promise.all(alone)).flat().toSorted()).toEqual([1, 2])
    await suspended
    await shop.blocked()
    await suspending.run('commit')
    expect(await starting).toEqual(REFUSED)
    expect(await shop.total()).toBe(2)
    await suspending.close()
  })
})
