import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { DatabaseStorage } from '../../src/index.ts'
import { ALL, attempt, merchantId, NOW, openShop, startedCompleted } from '../faults/shop.ts'
import { SUCCESSIONS } from './followers.ts'

describe.each(SUCCESSIONS)('a replica of a %s server from which another took over', (name, start) => {
  test('is left alone where it has what that one never had', { timeout: 300_000 }, async context => {
    let why: unknown
    const servers = await start().catch(error => {
      why = error
    })
    if (!servers) {
      if (process.env.CI === 'true') throw why
      return context.skip(`${name} cannot be started here: ${why}`)
    }
    const { heir, replica, storage: open, alone, part, takeOver, remove } = servers
    const first = open()
    await first.migrate()
    await openShop(first)
    await startedCompleted(first, 3)
    const [ofHeir, ofReplica] = [alone(heir.url), alone(replica.url)]
    const all = (storage: DatabaseStorage) => storage.payments.list(merchantId, {}, ALL)
    const has = async (storage: DatabaseStorage, total: number) => {
      while ((await all(storage).catch(() => null))?.total !== total) await sleep(20)
    }
    await has(ofHeir, 3)
    await part()
    const { payment } = await first.payments.start(attempt({ totalAmount: 999 }), NOW)
    await first.payments.resolve(payment, { status: 'completed' }, NOW)
    await startedCompleted(first, 1)
    await has(ofReplica, 5)
    await has(first, 5)
    await takeOver()
    const again = await ofHeir.payments.start(attempt({ totalAmount: 100 }), NOW)
    expect(again.payment.id).toBe(payment.id)
    await ofHeir.payments.resolve(payment, { status: 'error', failure: null }, NOW)
    const storages = [first, open()]
    const truly = await all(ofHeir)
    for (const storage of storages) {
      // Until then the replica may be asked that was near enough just now.
      while ((await all(storage).catch(() => null))?.total !== 4) await sleep(20)
      for (let n = 0; n < 20; n++) {
        expect(await all(storage)).toEqual(truly)
        expect((await storage.payments.get(payment))?.status).toBe('error')
        await sleep(100)
      }
    }
    await Promise.all([...storages, ofHeir, ofReplica].map(storage => storage.close()))
    await remove()
  })
})
