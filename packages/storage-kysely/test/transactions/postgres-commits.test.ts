import pg from 'pg'
import { expect, test } from 'vitest'
import { CommitUnknownError, DatabaseError } from '../../src/index.ts'
import { storageAt } from '../engines/address.ts'
import { inAShop } from '../engines/in-a-shop.ts'
import { overPostgres } from '../engines/index.ts'
import { startProxy } from '../faults/proxy.ts'
import { byPort, serverOf } from '../faults/session.ts'
import { ALL, attempt, merchantId, NOW } from '../faults/shop.ts'

/** What PostgreSQL says to a commit of a transaction that an error has undone, and that it is ready. */
const ROLLED_BACK = Buffer.from('C\0\0\0\x0dROLLBACK\0Z\0\0\0\x05I', 'latin1')

overPostgres(({ create }) => {
  const shop = inAShop(create)

  test('a commit that is answered with a rollback: nothing is written, and that is known', async () => {
    const { address } = shop.database
    const proxy = await startProxy(serverOf(address))
    const storage = storageAt(byPort(address, proxy.port))
    proxy.answerBefore(/\bcommit\b/i, ROLLED_BACK)
    const strict = attempt({ strict: true, merchantReference: 'order-1' })
    const refused = await storage.payments.start(strict, NOW).catch(error => error)
    expect(refused).toBeInstanceOf(DatabaseError)
    expect(refused).not.toBeInstanceOf(CommitUnknownError)
    expect(refused.message).toContain('rolled the transaction back')
    expect((await storage.payments.list(merchantId, {}, ALL)).total).toBe(0)
    expect((await storage.payments.start(strict, NOW)).payment.id).toBe(1)
    await storage.close()
    await proxy.close()
  })

  test('what a trigger of the host warns of is no commit that a standby has not got', async () => {
    const { address } = shop.database
    if (address.dialect !== 'postgres') throw new Error('not PostgreSQL')
    const { connectionString, schema } = address
    const owner = new pg.Client({ connectionString, options: `-c search_path="${schema}"` })
    await owner.connect()
    await owner.query(`create function warn() returns trigger language plpgsql as $$
      begin raise warning 'canceling wait for synchronous replication'; return null; end $$`)
    for (const deferred of ['', 'initially deferred']) {
      await owner.query(`create constraint trigger "warns ${deferred}" after insert on tillkit_payments
        deferrable ${deferred} for each row execute function warn()`)
    }
    await owner.end()
    const storage = storageAt(address)
    const { payment } = await storage.payments.start(attempt(), NOW)
    const within = await storage.transaction(inside => inside.payments.start(attempt(), NOW))
    expect([payment.id, within.payment.id]).toEqual([1, 2])
    await storage.close()
  })
})
