import { expect, test } from 'vitest'
import { postgresStorage } from '../../../src/postgres/index.ts'
import { PATIENT } from '../../engines/address.ts'
import { askCitus, createOnCitus } from '../../engines/citus.ts'
import { overCitus } from '../../engines/over-citus.ts'
import { ALL, attempt, merchantId, NOW, openResults, openShop } from '../../faults/shop.ts'
import { goesStraight } from './goes-straight.ts'

overCitus(() => {
  test.each([true, false])(
    'a role that may read and write rows, and owns nothing, does all that a host does (straight to the nodes: %s)',
    async directToNodes => {
      const { schema, connectionString, drop } = await createOnCitus()
      const role = `host of ${schema}`
      const url = new URL(connectionString)
      url.username = encodeURIComponent(role)
      const storage = postgresStorage({ connectionString: url.href, directToNodes, ...PATIENT }, { schema })
      try {
        await askCitus(`create role "${role}" login`)
        await askCitus(`grant usage on schema "${schema}" to "${role}"`)
        await askCitus(
          `grant select, insert, update, delete on all tables in schema "${schema}" to "${role}"`,
        )
        await openShop(storage)
        if (directToNodes) await goesStraight(storage, merchantId)
        const results = await openResults(storage, 20, '2099-01-01T00:00:00.000Z')
        const recorded = results.map(result => storage.deliveries.record(result))
        expect(await Promise.all(recorded)).toEqual(results.map(() => true))
        await storage.payments.start(attempt({ strict: true, merchantReference: 'order 1' }), NOW)
        await storage.cashUps.create(merchantId, {
          reference: 'c'.repeat(32),
          idempotencyKey: null,
          now: NOW,
        })
        await storage.payments.settle(merchantId, 'BANK-1', [1])
        expect((await storage.payments.list(merchantId, {}, ALL)).total).toBe(21)
        expect((await storage.cashUps.list(merchantId, ALL)).total).toBe(1)
      } finally {
        await storage.close()
        await drop()
        await askCitus(`drop role if exists "${role}"`)
      }
    },
  )
})
