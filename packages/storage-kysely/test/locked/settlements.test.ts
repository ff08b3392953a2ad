import { expect, test } from 'vitest'
import { inAShop } from '../engines/in-a-shop.ts'
import { overEveryServer } from '../engines/index.ts'
import { blocked, openSession } from '../faults/session.ts'
import { ALL, merchantId, startedCompleted } from '../faults/shop.ts'

overEveryServer(({ create }) => {
  const shop = inAShop(create)

  test('a settlement that waits for a lock settles what was completed meanwhile as well', async () => {
    const { storage, database } = shop
    await startedCompleted(storage, 1)
    const holder = await openSession(database.address)
    try {
      await holder.run('begin')
      await holder.run(
        `select * from ${holder.table('payments')} where merchant_id = '${merchantId}' and id = 1 for update`,
      )
      const settling = storage.payments.settle(merchantId, 'BANK-1', [1, 2])
      await blocked(database.address)
      expect(await startedCompleted(storage, 1)).toEqual([2])
      await holder.run('rollback')
      await settling
    } finally {
      await holder.close()
    }
    const { items } = await storage.payments.list(merchantId, {}, ALL)
    expect(items.map(({ statementReference }) => statementReference)).toEqual(['BANK-1', 'BANK-1'])
    expect(await storage.settlements.get('BANK-1', ALL)).toMatchObject({ count: 2, amount: 200 })
  })
})
