import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { postgresStorage } from '../../../src/postgres/index.ts'
import { PATIENT } from '../../engines/address.ts'
import { createOnCitus } from '../../engines/citus.ts'
import { overCitus } from '../../engines/over-citus.ts'
import { attempt, NOW, openShop } from '../../faults/shop.ts'
import { goesStraight } from '../nodes/goes-straight.ts'

const [SHARDS, MERCHANTS] = [64, 256]
const PAGE = { skip: 0, limit: 10 }

overCitus(() => {
  test('with more shards at a node than a session keeps plans for, none is made over and over', async () => {
    const { storage: host, schema, connectionString, drop } = await createOnCitus(SHARDS)
    const storage = postgresStorage({ connectionString, ...PATIENT }, { schema })
    onTestFinished(async () => {
      await storage.close()
      await drop()
    })
    const merchants = Array.from({ length: MERCHANTS }, (_, n) => `shop-${n}`)
    for (const id of merchants) await openShop(host, id)
    const visitAll = async () => {
      for (const merchantId of merchants) {
        const { payment } = await storage.payments.start(attempt({ merchantId }), NOW)
        await storage.payments.resolve(payment, { status: 'completed' }, NOW)
        const completed = await storage.payments.get(payment)
        expect(completed).toEqual({ ...payment, status: 'completed' })
        expect((await storage.payments.list(merchantId, {}, PAGE)).items).toContainEqual(completed)
      }
    }
    for (const merchantId of merchants) await goesStraight(storage, merchantId)
    await visitAll()
    const parse = vi.spyOn(pg.Connection.prototype, 'parse')
    await visitAll()
    const kept = parse.mock.calls.filter(([{ name }]) => name !== '')
    expect(kept.length).toBeLessThan(MERCHANTS / 8)
  })
})
