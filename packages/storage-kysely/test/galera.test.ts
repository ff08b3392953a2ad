import { setTimeout as sleep } from 'node:timers/promises'
import { type OwnServer, ownGalera } from '@tillkit/servers'
import mysql from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CommitUnknownError, DatabaseError, type DatabaseStorage } from '../src/index.ts'
import { mysqlStorage } from '../src/mysql/index.ts'
import { type Address, storageAt } from './engines/address.ts'
import { ALL, attempt, merchantId, NOW, openShop } from './faults/shop.ts'
import { found } from './inspection/checked.ts'
import { race } from './processes/race.ts'

const MINUTES = 60_000

describe('a Galera cluster of three nodes', () => {
  let nodes: OwnServer[] = []
  let why: unknown = 'Galera is not installed'

  beforeAll(async () => {
    try {
      nodes = (await ownGalera(3)) ?? []
    } catch (error) {
      if (process.env.CI === 'true') throw error
      why = error
    }
  }, 10 * MINUTES)

  afterAll(async () => {
    for (const node of nodes.toReversed()) await node.remove()
  })

  const theNodes = (context: { skip(note: string): never }): [OwnServer, OwnServer, OwnServer] => {
    const [first, second, third] = nodes
    if (first && second && third) return [first, second, third]
    return context.skip(`it cannot be started here: ${why}`)
  }

  /** One database, empty, at each node. */
  const databaseAt = async (cluster: OwnServer[], name: string): Promise<Address[]> => {
    const connection = await mysql.createConnection(cluster[0]?.url ?? '')
    await connection.query(`create database ${name}`)
    await connection.end()
    return cluster.map(({ url }) => ({ dialect: 'mysql', uri: url.replace(/[^/]*$/, name) }))
  }

  /** Resolves when a node has what others had committed by now. */
  const caughtUp = async (address: Address): Promise<void> => {
    const connection = await mysql.createConnection((address as { uri: string }).uri)
    await connection.query('set session wsrep_sync_wait = 1')
    await connection.query('select id from tillkit_merchants')
    await connection.end()
  }

  test('migrations at all nodes at once come to one end', { timeout: 5 * MINUTES }, async context => {
    const addresses = await databaseAt(theNodes(context), 'migrated')
    const storages = [...addresses, ...addresses].map(address => storageAt(address))
    await Promise.all(storages.map(storage => storage.migrate()))
    const [storage] = storages as [DatabaseStorage]
    await openShop(storage)
    expect((await storage.payments.start(attempt(), NOW)).payment.id).toBe(1)
    for (const one of storages) await one.close()
  })

  test(
    'four processes race at its nodes, and two of them are killed',
    {
      timeout: 5 * MINUTES,
    },
    async context => race(await databaseAt(theNodes(context), 'raced'), caughtUp),
  )

  test('of nodes that give one payment its outcome at once, one has given it: over connections that are new, too', {
    timeout: 5 * MINUTES,
  }, async context => {
    const addresses = await databaseAt(theNodes(context), 'decided')
    const storage = storageAt(addresses[0] as Address)
    await storage.migrate()
    await openShop(storage)
    for (let round = 0; round < 25; round++) {
      const ids: number[] = []
      for (let n = 0; n < 20; n++) ids.push((await storage.payments.start(attempt(), NOW)).payment.id)
      await Promise.all(addresses.map(caughtUp))
      const hosts = addresses.map(address => storageAt(address))
      const gave = await Promise.all(
        hosts.map(async (host, n) => {
          const mine: number[] = []
          await Promise.all(
            ids.map(async id => {
              const outcome = { status: 'error', failure: `node ${n}` } as const
              const resolved = await host.payments.resolve({ merchantId, id }, outcome, NOW)
              if (resolved?.changed) mine.push(id)
            }),
          )
          await host.close()
          return mine
        }),
      )
      await caughtUp(addresses[0] as Address)
      const { items } = await storage.payments.list(merchantId, {}, { skip: 0, limit: ids.length })
      const kept = addresses.map((_, n) =>
        items.filter(({ failure }) => failure === `node ${n}`).map(({ id }) => id),
      )
      const inOrder = (lists: number[][]) => lists.map(list => list.toSorted((a, b) => a - b))
      expect(inOrder(gave)).toEqual(inOrder(kept))
    }
    await storage.close()
  })

  test('a payment of another node is given its outcome, or is not known there yet', {
    timeout: 5 * MINUTES,
  }, async context => {
    const addresses = await databaseAt(theNodes(context), 'early')
    const [here, there] = addresses.map(address => storageAt(address)) as [DatabaseStorage, DatabaseStorage]
    await here.migrate()
    await openShop(here)
    await caughtUp(addresses[1] as Address)
    for (let round = 0; round < 60; round++) {
      const answers = Array.from({ length: 8 }, async () => {
        const { payment } = await here.payments.start(attempt(), NOW)
        return there.payments.resolve(payment, { status: 'completed' }, NOW)
      })
      for (const resolved of await Promise.all(answers)) {
        if (resolved) expect(resolved).toMatchObject({ changed: true, payment: { status: 'completed' } })
      }
    }
    await here.close()
    await there.close()
  })

  test('a node that is cut off says so: its calls do, and whoever looks at it is told', {
    timeout: 5 * MINUTES,
  }, async context => {
    const cluster = theNodes(context)
    const [, , there] = (await databaseAt(cluster, 'cut')) as [Address, Address, Address]
    const storage = storageAt(there)
    await storage.migrate()
    const node = await mysql.createConnection(cluster[2].url)
    const isolate = (value: 0 | 1) =>
      node.query(`set global wsrep_provider_options = 'gmcast.isolate = ${value}'`)
    const isFound = (what: string) =>
      expect
        .poll(() => found(storage, 'server'), { timeout: MINUTES })
        .toEqual([expect.stringContaining(what)])
    await isFound('takes writes')
    await isolate(1)
    await isFound('problem: This node of a cluster takes no statements')
    await expect(storage.merchants.get(merchantId)).rejects.toThrow(
      'this node of the cluster takes no statements now',
    )
    await isolate(0)
    await isFound('takes writes')
    await node.end()
    await storage.close()
  })

  test('a node that dies and comes back: its hosts get errors of a database, and nothing acknowledged is lost', {
    timeout: 5 * MINUTES,
  }, async context => {
    const cluster = theNodes(context)
    const [here, , there] = (await databaseAt(cluster, 'lost')) as [Address, Address, Address]
    const [storage, beside] = [here, there].map(address =>
      mysqlStorage({ uri: (address as { uri: string }).uri, writeTimeoutSeconds: 3, lockTimeoutSeconds: 2 }),
    ) as [DatabaseStorage, DatabaseStorage]
    await storage.migrate()
    await openShop(storage)
    await caughtUp(there)
    const acknowledged: number[] = []
    const errors: unknown[] = []
    let over = false
    const lane = async (host: DatabaseStorage) => {
      while (!over) {
        await host.payments
          .start(attempt(), NOW)
          .then(({ payment }) => acknowledged.push(payment.id))
          .catch(error => errors.push(error))
      }
    }
    const lanes = Promise.all([lane(storage), lane(beside), lane(beside)])
    const more = async (wanted: () => number) => {
      const before = wanted()
      while (wanted() < before + 20) await sleep(5)
    }
    await more(() => acknowledged.length)
    await cluster[2].kill()
    while (!errors.some(error => !(error instanceof CommitUnknownError))) await sleep(5)
    await more(() => acknowledged.length)
    await cluster[2].start()
    await more(() => acknowledged.length)
    over = true
    await lanes
    for (const error of errors) expect(error).toBeInstanceOf(DatabaseError)
    await caughtUp(there)
    const ids = new Set(
      (await beside.payments.list(merchantId, {}, { ...ALL, limit: 100_000 })).items.map(({ id }) => id),
    )
    expect(acknowledged.filter(id => !ids.has(id))).toEqual([])
    expect(new Set(acknowledged).size).toBe(acknowledged.length)
    await storage.close()
    await beside.close()
  })
})
