import { ownPostgres } from '@tillkit/servers'
import { createTill } from '@tillkit/till'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { postgresStorage } from '../src/postgres/index.ts'
import { PATIENT } from './engines/address.ts'

const PARTITIONS = 4

test('a partition and its indexes are moved to another tablespace and back while payments are taken', {
  timeout: 300_000,
}, async () => {
  const server = await ownPostgres({ settings: { allow_in_place_tablespaces: 'on' } })
  const storage = postgresStorage({ connectionString: server.url, ...PATIENT })
  const client = new pg.Client(server.url)
  onTestFinished(async () => {
    await client.end()
    await storage.close()
    await server.remove()
  })
  await client.connect()
  await storage.migrate({ partitions: PARTITIONS })
  await client.query(`create tablespace cold location ''`)
  const till = createTill({ storage, logger: false })
  const shops = Array.from({ length: 8 }, (_, n) => `shop-${n}`)
  for (const id of shops) {
    await till.merchants.create({ id, name: 'Shop' })
    await till.scanCodes.create(id, { code: id })
  }

  let isMoving = true
  const taken = new Map<string, number>()
  const keepTaking = async (scanCode: string) => {
    while (isMoving) {
      const payment = await till.payments.start({
        scanCode,
        totalAmount: 1250,
        attemptKey: `${Math.random()}`,
      })
      await till.payments.complete(payment)
      taken.set(scanCode, payment.id)
    }
  }
  const shopsAtWork = Promise.allSettled(shops.map(keepTaking))
  const placed = async () => {
    const { rows } = await client.query(
      `select count(*)::int as total from pg_class join pg_tablespace on pg_tablespace.oid = reltablespace
       where spcname = 'cold' and (relname = 'tillkit_payments_p0' or relname like 'tillkit_payments_p0_%')`,
    )
    return rows[0].total
  }
  const moveTo = async (space: string) => {
    const before = new Map(taken)
    // Holds nobody up: the indexes are built beside the old ones.
    await client.query(`reindex (concurrently, tablespace ${space}) table tillkit_payments_p0`)
    // Whoever writes to or reads this partition waits until it is copied.
    await client.query(`alter table tillkit_payments_p0 set tablespace ${space}`)
    while (shops.some(shop => (taken.get(shop) ?? 0) <= (before.get(shop) ?? 0)))
      await new Promise(setImmediate)
  }
  await moveTo('cold')
  expect(await placed()).toBeGreaterThan(3)
  await moveTo('pg_default')
  expect(await placed()).toBe(0)
  isMoving = false
  expect(await shopsAtWork).toEqual(shops.map(() => ({ status: 'fulfilled', value: undefined })))
  for (const shop of shops) {
    const { total } = await till.payments.list(shop, { filter: { status: ['completed'] } })
    expect(total).toBe(taken.get(shop))
  }
})
