import { type OwnServer, ownGalera } from '@tillkit/servers'
import { type DatabaseConnection, Kysely, MysqlDialect, type MysqlDialectConfig, sql } from 'kysely'
import mysql from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CommitUnknownError, type DatabaseStorage, kyselyStorage } from '../../src/index.ts'
import { storageAt } from '../engines/address.ts'
import { ALL, attempt, merchantId, NOW, openShop } from '../faults/shop.ts'
import { found } from '../inspection/checked.ts'
import { race } from '../processes/race.ts'
import {
  caughtUpBy,
  databaseAt,
  giveOutcomesAtOnce,
  loseOne,
  migrateUnderLoad,
  type Nodes,
  resolveEarly,
  uriOf,
} from './cluster.ts'

const MINUTES = 60_000
const caughtUp = caughtUpBy('wsrep_sync_wait = 1')

/** Cuts a node off from its cluster, and lets it back. */
const isolate = (node: mysql.Connection, value: 0 | 1) =>
  node.query(`set global wsrep_provider_options = 'gmcast.isolate = ${value}'`)

/** The same, once the node says that it is so. */
async function isolated(node: mysql.Connection, value: 0 | 1): Promise<void> {
  await isolate(node, value)
  const isReady = async () => (await node.query(`show status like 'wsrep_ready'`))[0]
  const ready = [expect.objectContaining({ Value: value === 1 ? 'OFF' : 'ON' })]
  await expect.poll(isReady, { timeout: MINUTES }).toEqual(ready)
}

/** Kysely's own, whose commits wait for something first. */
class CommittingAfter extends MysqlDialect {
  readonly #before: () => Promise<void>

  constructor(before: () => Promise<void>, config: MysqlDialectConfig) {
    super(config)
    this.#before = before
  }

  override createDriver() {
    const driver = super.createDriver()
    const commit = driver.commitTransaction.bind(driver)
    driver.commitTransaction = async (connection: DatabaseConnection) => {
      await this.#before()
      await commit(connection)
    }
    return driver
  }
}

describe('a Galera cluster of three nodes', { timeout: 5 * MINUTES }, () => {
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

  const theNodes = (context: { skip(note: string): never }): Nodes =>
    nodes.length === 3 ? (nodes as Nodes) : context.skip(`it cannot be started here: ${why}`)

  test('migrations at all nodes at once come to one end', async context => {
    const addresses = await databaseAt(theNodes(context), 'migrated')
    const storages = [...addresses, ...addresses].map(address => storageAt(address))
    await Promise.all(storages.map(storage => storage.migrate()))
    const [storage] = storages as [DatabaseStorage]
    await openShop(storage)
    expect((await storage.payments.start(attempt(), NOW)).payment.id).toBe(1)
    for (const one of storages) await one.close()
  })

  test('a migration at one node while payments are started at all: what is acknowledged stays, and all go on', async context => {
    await migrateUnderLoad(await databaseAt(theNodes(context), 'grown'), caughtUp)
  })

  test('four processes race at its nodes, and two of them are killed', async context => {
    await race(await databaseAt(theNodes(context), 'raced'), caughtUp)
  })

  test('of nodes that give one payment its outcome at once, one has given it: over connections that are new, too', async context => {
    await giveOutcomesAtOnce(await databaseAt(theNodes(context), 'decided'), caughtUp)
  })

  test('a payment of another node is given its outcome, or is not known there yet', async context => {
    await resolveEarly(await databaseAt(theNodes(context), 'early'), caughtUp)
  })

  test('a node that is cut off says so: its calls do, and whoever looks at it is told', async context => {
    const cluster = theNodes(context)
    const [, , there] = await databaseAt(cluster, 'cut')
    const storage = storageAt(there)
    await storage.migrate()
    const node = await mysql.createConnection(cluster[2].url)
    const isFound = (what: string) =>
      expect
        .poll(() => found(storage, 'server'), { timeout: MINUTES })
        .toEqual([expect.stringContaining(what)])
    await isFound('takes writes')
    await isolate(node, 1)
    await isFound('problem: This node of a cluster takes no statements')
    await expect(storage.merchants.get(merchantId)).rejects.toThrow(
      'this node of the cluster takes no statements now',
    )
    await isolate(node, 0)
    await isFound('takes writes')
    await node.end()
    await storage.close()
  })

  test("a node cut off refuses a commit of a host's Kysely, and its rollback: whoever draws the connection next commits none of it", async context => {
    const cluster = theNodes(context)
    const [elsewhere, , there] = await databaseAt(cluster, 'refused')
    const other = storageAt(elsewhere)
    await other.migrate()
    await openShop(other)
    await caughtUp(there)
    const node = await mysql.createConnection(cluster[2].url)
    let beforeCommit = () => isolated(node, 1)
    const pool = mysql.createPool({ uri: uriOf(there), connectionLimit: 1 }).pool
    const db = new Kysely<never>({ dialect: new CommittingAfter(() => beforeCommit(), { pool }) })
    const { payments } = kyselyStorage(db, 'mysql', { writeTimeoutSeconds: 30 })
    await expect(payments.start(attempt(), NOW)).rejects.toThrow(
      'this node of the cluster takes no statements now',
    )
    beforeCommit = async () => {}
    await isolated(node, 0)
    await db.transaction().execute(trx => sql`select 1`.execute(trx))
    await caughtUp(elsewhere)
    expect((await other.payments.list(merchantId, {}, ALL)).items).toEqual([])
    expect((await payments.start(attempt(), NOW)).created).toBe(true)
    await db.destroy()
    await node.end()
    await other.close()
  })

  test("starts of a host's Kysely whose commits a node is cut off at are unknown: each is there once at most, and none that was refused is", async context => {
    const cluster = theNodes(context)
    const [elsewhere, , there] = await databaseAt(cluster, 'doubted')
    const other = storageAt(elsewhere)
    await other.migrate()
    const shops = Array.from({ length: 12 }, (_, n) => `shop-${n}`)
    for (const shop of shops) await openShop(other, shop)
    await caughtUp(there)
    const node = await mysql.createConnection(cluster[2].url)
    const pool = mysql.createPool({ uri: uriOf(there), connectionLimit: 16 }).pool
    const db = new Kysely<never>({ dialect: new MysqlDialect({ pool }) })
    const { payments } = kyselyStorage(db, 'mysql', { writeTimeoutSeconds: 60, lockTimeoutSeconds: 50 })
    const told: Record<'started' | 'unknown' | 'refused', string[]> = {
      started: [],
      unknown: [],
      refused: [],
    }
    let over = false
    const buy = async (shop: string) => {
      for (let n = 1; !over; n++) {
        const merchantReference = `${shop} ${n}`
        const how = await payments.start(attempt({ merchantId: shop, merchantReference }), NOW).then(
          () => 'started' as const,
          error => (error instanceof CommitUnknownError ? 'unknown' : 'refused'),
        )
        told[how].push(merchantReference)
      }
    }
    const buying = shops.map(buy)
    const areStarted = async (more: number) => {
      const before = told.started.length
      await expect.poll(() => told.started.length, { timeout: MINUTES }).toBeGreaterThan(before + more)
    }
    for (let cuts = 0; cuts < 3; cuts++) {
      await areStarted(200)
      await isolated(node, 1)
      await isolated(node, 0)
      await areStarted(200)
    }
    over = true
    await Promise.all(buying)
    await caughtUp(elsewhere)
    const lists = shops.map(shop => other.payments.list(shop, {}, { ...ALL, limit: 1_000_000 }))
    const kept = (await Promise.all(lists)).flatMap(({ items }) => items.map(item => item.merchantReference))
    expect(kept.length).toBe(new Set(kept).size)
    expect(told.refused.filter(one => kept.includes(one))).toEqual([])
    expect(told.started.filter(one => !kept.includes(one))).toEqual([])
    expect(told.unknown).not.toEqual([])
    await db.destroy()
    await node.end()
    await other.close()
  })

  test('a node that dies and comes back: its hosts get errors of a database, and nothing acknowledged is lost', async context => {
    const cluster = theNodes(context)
    await loseOne(await databaseAt(cluster, 'lost'), { lost: cluster[2], caughtUp })
  })
})
