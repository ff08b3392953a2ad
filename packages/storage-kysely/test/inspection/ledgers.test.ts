import { beforeEach, expect, test } from 'vitest'
import { overEveryEngine } from '../engines/index.ts'
import { NOW, openShop, startedCompleted } from '../faults/shop.ts'
import { found } from './checked.ts'
import { inTables } from './in-tables.ts'

const CASH_UP = { reference: '0123456789abcdef'.repeat(2), now: NOW, idempotencyKey: null }
const OK = ['ok: Each merchant’s ledger agrees with its payments and cash ups.']

overEveryEngine(({ create }) => {
  const host = inTables(create, { layout: {} })

  beforeEach(async () => {
    await openShop(host.storage)
  })

  const { run } = host
  const ledgers = () => found(host.storage, 'ledgers')

  test('a merchant that has taken nothing, and one that has, agree with their rows', async () => {
    expect(await ledgers()).toEqual(OK)
    await startedCompleted(host.storage, 3)
    await host.storage.cashUps.create('shop', CASH_UP)
    expect(await ledgers()).toEqual(OK)
  })

  test('a ledger that was restored to an earlier moment than its payments', async () => {
    await startedCompleted(host.storage, 3)
    await run('update tillkit_ledgers set last_payment_id = 2')
    expect(await ledgers()).toEqual([
      'problem: Payments come after the last one that the ledger knows, and no other can be started, of: shop.',
    ])
  })

  test('payments that were deleted: the first, the last, all', async () => {
    await startedCompleted(host.storage, 3)
    const gone = ['problem: The first or the last payment is gone, and totals count it, of: shop.']
    for (const condition of ['id = 3', 'id = 1', 'id = 2']) {
      await run(`delete from tillkit_payments where ${condition}`)
      expect(await ledgers()).toEqual(gone)
    }
  })

  test('totals that are kept of payments that are gone with their ledger’s last entries', async () => {
    await startedCompleted(host.storage, 3)
    await run(
      `insert into tillkit_payment_blocks (merchant_id, up_to, errors, unresolved) values ('shop', 4, 0, '')`,
    )
    expect(await ledgers()).toEqual([
      'problem: Totals are kept of payments that the ledger does not know, of: shop.',
    ])
  })

  test('cash ups that were deleted, and those of a later moment than the ledger', async () => {
    const other = ['problem: The last cash up is not the one that the ledger knows, of: shop.']
    await startedCompleted(host.storage, 1)
    await host.storage.cashUps.create('shop', CASH_UP)
    await run('update tillkit_ledgers set last_cash_up_number = 0')
    expect(await ledgers()).toEqual(other)
    await run('update tillkit_ledgers set last_cash_up_number = 1')
    await run('delete from tillkit_cash_ups')
    expect(await ledgers()).toEqual(other)
  })

  test('five merchants are named', async () => {
    for (const n of [1, 2, 3, 4, 5, 6]) await openShop(host.storage, `shop-${n}`)
    await run(`update tillkit_ledgers set last_payment_id = 9 where merchant_id <> 'shop'`)
    expect(await ledgers()).toEqual([
      'problem: The first or the last payment is gone, and totals count it, of: shop-1, shop-2, shop-3, shop-4, shop-5 and others.',
    ])
  })

  test('more merchants than one statement looks at', { timeout: 60_000 }, async () => {
    const shops = Array.from({ length: 1001 }, (_, n) => `shop-${n}`)
    await Promise.all(shops.map(shop => openShop(host.storage, shop)))
    expect(await ledgers()).toEqual(OK)
    await run(`update tillkit_ledgers set last_payment_id = 1 where merchant_id in ('shop', 'shop-999')`)
    expect(await ledgers()).toEqual([
      'problem: The first or the last payment is gone, and totals count it, of: shop, shop-999.',
    ])
  })
})
