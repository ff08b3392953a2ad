import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inAShop } from '../engines/in-a-shop.ts'
import { overPostgres } from '../engines/index.ts'
import { blocked, openSession } from '../faults/session.ts'
import { attempt, merchantId, NOW } from '../faults/shop.ts'

overPostgres(({ create }) => {
  const shop = inAShop(create)

  test('storage.transaction, which is run once, waits for a lock as long as a write does', async () => {
    const { storage, database } = shop
    const holder = await openSession(database.address)
    await holder.run('begin')
    await holder.run(
      `select * from ${holder.table('ledgers')} where merchant_id = '${merchantId}' for update`,
    )
    const starting = storage.transaction(inside => inside.payments.start(attempt(), NOW))
    await blocked(database.address)
    // Longer than one statement of a write does, which is run again.
    await sleep(2500)
    await holder.run('rollback')
    expect((await starting).payment.id).toBe(1)
    await holder.close()
  })
})
