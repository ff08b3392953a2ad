import { DatabaseError } from '@tillkit/storage'
import { expect, test, vi } from 'vitest'
import { postgresStorage } from '../../../src/postgres/index.ts'
import { askCitus, createOnCitus } from '../../engines/citus.ts'
import { overCitus } from '../../engines/over-citus.ts'
import { ALL, attempt, merchantId, NOW, openShop } from '../../faults/shop.ts'
import { haveNodeWait } from './have-node-wait.ts'

overCitus(() => {
  test('who has given up on a node that says nothing leaves no session at the coordinator', async () => {
    const { storage, connectionString, schema, drop } = await createOnCitus()
    const limits = { readTimeoutSeconds: 1, writeTimeoutSeconds: 1 }
    const host = postgresStorage({ connectionString, directToNodes: false, ...limits }, { schema })
    await openShop(storage)
    await storage.payments.start(attempt(), NOW)
    await host.payments.list(merchantId, {}, ALL)
    const goOn = await haveNodeWait(schema, merchantId)
    try {
      const reads = Array.from({ length: 5 }, () => host.payments.list(merchantId, {}, ALL))
      for (const read of await Promise.allSettled(reads)) {
        expect(read).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseError) })
      }
      const left = `select from pg_stat_activity where application_name = '${schema}' and state = 'active'`
      const areOver = async () => expect(await askCitus(left)).toEqual([])
      await vi.waitFor(areOver, { timeout: 10_000, interval: 200 })
    } finally {
      await goOn()
      await host.close()
      await drop()
    }
  })
})
