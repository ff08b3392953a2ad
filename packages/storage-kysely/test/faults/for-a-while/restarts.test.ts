import { setTimeout as sleep } from 'node:timers/promises'
import { type OwnServer, ownMariadb, ownPostgres } from '@tillkit/servers'
import { describe, expect, test } from 'vitest'
import { DatabaseError } from '../../../src/index.ts'
import { type Address, storageAt } from '../../engines/address.ts'
import type { Acknowledged } from '../../processes/acknowledged.ts'
import { expectInvariants } from '../../processes/invariants.ts'
import { ALL, attempt, merchantId, NOW, openShop } from '../shop.ts'

const SERVERS: [name: string, start: () => Promise<OwnServer>, address: (url: string) => Address][] = [
  [
    'PostgreSQL',
    () => ownPostgres(),
    connectionString => ({ dialect: 'postgres', connectionString, schema: 'public' }),
  ],
  ['MariaDB', ownMariadb, uri => ({ dialect: 'mysql', uri })],
]

describe.each(SERVERS)('%s', (name, startServer, addressOf) => {
  test('restarted under load: nothing acknowledged is lost, and all goes on by itself', {
    timeout: 300_000,
  }, async context => {
    const server = await startServer().catch(error => {
      if (process.env.CI === 'true') throw error
      return context.skip(`${name} cannot be started here: ${error?.message}`)
    })
    const storage = storageAt(addressOf(server.url))
    await storage.migrate()
    await openShop(storage)

    const acknowledged: Acknowledged[] = []
    const errors: unknown[] = []
    let over = false
    const lane = async (_: unknown, n: number) => {
      while (!over) {
        try {
          const strict = n % 2 === 0
          const merchantReference = `order-${acknowledged.length % 20}`
          const started = await storage.payments.start(
            attempt({ strict, merchantReference }),
            new Date().toISOString(),
          )
          acknowledged.push({ call: 'start', attemptKey: null, ...started })
          const outcome =
            n % 3 ? ({ status: 'completed' } as const) : ({ status: 'error', failure: null } as const)
          const resolved = await storage.payments.resolve(started.payment, outcome, NOW)
          if (resolved) acknowledged.push({ call: 'resolve', ...resolved })
        } catch (error) {
          errors.push(error)
        }
      }
    }
    const lanes = Promise.all(Array.from({ length: 8 }, lane))
    const more = async () => {
      const before = acknowledged.length
      while (acknowledged.length < before + 50) await sleep(5)
    }

    await more()
    for (let restarts = 0; restarts < 2; restarts++) {
      await server.stop()
      await sleep(100)
      await server.start()
      await more()
    }
    over = true
    await lanes

    for (const error of errors) expect(error).toBeInstanceOf(DatabaseError)
    await expectInvariants(storage, merchantId, acknowledged)
    expect((await storage.payments.list(merchantId, {}, ALL)).total).toBeGreaterThan(0)
    await storage.close()
    await server.remove()
  })

  test('not there yet: the first call waits for it', { timeout: 300_000 }, async context => {
    const server = await startServer().catch(error => {
      if (process.env.CI === 'true') throw error
      return context.skip(`${name} cannot be started here: ${error?.message}`)
    })
    await server.stop()
    const storage = storageAt(addressOf(server.url))
    const read = storage.merchants.get('shop').catch(error => error)
    await sleep(200)
    await server.start()
    // The server is back, though the tables are not there: the error says so, and not that there is no server.
    expect(`${await read}`).toMatch(/no Tillkit tables yet/)
    await storage.close()
    await server.remove()
  })
})
