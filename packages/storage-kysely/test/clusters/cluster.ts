import { setTimeout as sleep } from 'node:timers/promises'
import type { OwnServer } from '@tillkit/servers'
import mysql from 'mysql2/promise'
import { expect } from 'vitest'
import { CommitUnknownError, DatabaseError, type DatabaseStorage } from '../../src/index.ts'
import { migrateTo } from '../../src/migrations/migrate.ts'
import { mysqlStorage } from '../../src/mysql/index.ts'
import { type Address, hostDatabaseAt, storageAt } from '../engines/address.ts'
import { ALL, attempt, merchantId, NOW, openShop } from '../faults/shop.ts'
import { firstVersionAt, openFirstShop } from '../migrations/first-version.ts'

/** Three servers that each have every row. */
export type Nodes = [OwnServer, OwnServer, OwnServer]
export type Addresses = [Address, Address, Address]

/** Resolves when the node at an address has what others had committed by now. */
export type CaughtUp = (address: Address) => Promise<void>

/** How a node is told to wait, before it reads, for what others had committed. */
export function caughtUpBy(setting: string): CaughtUp {
  return async address => {
    const connection = await mysql.createConnection(uriOf(address))
    try {
      await connection.query(`set session ${setting}`)
      await connection.query('select id from tillkit_merchants')
    } finally {
      connection.destroy()
    }
  }
}

/** One database, empty, at each node; made at the first. */
export async function databaseAt(nodes: Nodes, name: string): Promise<Addresses> {
  const connection = await mysql.createConnection(nodes[0].url)
  await connection.query(`create database ${name}`)
  await connection.end()
  return nodes.map(({ url }) => ({ dialect: 'mysql', uri: url.replace(/[^/]*$/, name) })) as Addresses
}

export function uriOf(address: Address): string {
  return (address as { uri: string }).uri
}

/** Of hosts over new connections that give the same payments their outcomes at once, one has given each: the one that all nodes then know. */
export async function giveOutcomesAtOnce(addresses: Addresses, caughtUp: CaughtUp): Promise<void> {
  const storage = storageAt(addresses[0])
  await storage.migrate()
  await openShop(storage)
  for (let round = 0; round < 25; round++) {
    const ids: number[] = []
    for (let n = 0; n < 20; n++) ids.push((await storage.payments.start(attempt(), NOW)).payment.id)
    await Promise.all(addresses.map(caughtUp))
    const gave = await Promise.all(addresses.map((address, n) => resolveAll(address, ids, `node ${n}`)))
    await caughtUp(addresses[0])
    const { items } = await storage.payments.list(merchantId, {}, { skip: 0, limit: ids.length })
    const kept = addresses.map((_, n) =>
      items.filter(({ failure }) => failure === `node ${n}`).map(({ id }) => id),
    )
    const inOrder = (lists: number[][]) => lists.map(list => list.toSorted((a, b) => a - b))
    expect(inOrder(gave)).toEqual(inOrder(kept))
  }
  await storage.close()
}

/** The payments whose outcome this host was told to have given. */
async function resolveAll(address: Address, ids: number[], failure: string): Promise<number[]> {
  const host = storageAt(address)
  const given: number[] = []
  await Promise.all(
    ids.map(async id => {
      const resolved = await host.payments.resolve({ merchantId, id }, { status: 'error', failure }, NOW)
      if (resolved?.changed) given.push(id)
    }),
  )
  await host.close()
  return given
}

/** A payment of one node that is given its outcome at another is given it, or is not known there yet. */
export async function resolveEarly([first, second]: Addresses, caughtUp: CaughtUp): Promise<void> {
  const [here, there] = [storageAt(first), storageAt(second)]
  await here.migrate()
  await openShop(here)
  await caughtUp(second)
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
}

interface Loss {
  /** The node that is lost, and comes back. */
  lost: OwnServer
  caughtUp: CaughtUp
}

/** Payments are started at all nodes while one is killed and comes back: what is not acknowledged is a `DatabaseError`, what is acknowledged stays. */
export async function loseOne(addresses: Addresses, { lost, caughtUp }: Loss): Promise<void> {
  const hosts = addresses.map(address =>
    mysqlStorage({ uri: uriOf(address), writeTimeoutSeconds: 3, lockTimeoutSeconds: 2 }),
  ) as [DatabaseStorage, DatabaseStorage, DatabaseStorage]
  await hosts[0].migrate()
  await openShop(hosts[0])
  await Promise.all(addresses.map(caughtUp))
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
  const lanes = Promise.all([...hosts, ...hosts].map(lane))
  const more = async (wanted: () => number) => {
    const before = wanted()
    while (wanted() < before + 20) await sleep(5)
  }
  await more(() => acknowledged.length)
  await lost.kill()
  while (!errors.some(error => !(error instanceof CommitUnknownError))) await sleep(5)
  await more(() => acknowledged.length)
  await lost.start()
  await more(() => acknowledged.length)
  over = true
  await lanes
  for (const error of errors) expect(error).toBeInstanceOf(DatabaseError)
  for (const [n, address] of addresses.entries()) {
    await caughtUp(address)
    const { items } = await (hosts[n] as DatabaseStorage).payments.list(
      merchantId,
      {},
      { ...ALL, limit: 100_000 },
    )
    const ids = new Set(items.map(({ id }) => id))
    expect(acknowledged.filter(id => !ids.has(id))).toEqual([])
  }
  expect(new Set(acknowledged).size).toBe(acknowledged.length)
  for (const host of hosts) await host.close()
}

/**
 * A database of the first version is brought up to date at one node while payments are started at all of them, by that version and by this
 * one, which is refused until its tables are there: what is acknowledged stays, and all go on.
 */
export async function migrateUnderLoad(addresses: Addresses, caughtUp: CaughtUp): Promise<void> {
  const [first, second] = addresses
  const db = hostDatabaseAt(first)
  await migrateTo(db, 'mysql', {}, '0001-initial')
  await openFirstShop(first)
  await Promise.all(addresses.map(caughtUp))
  const acknowledged: number[] = []
  const errors: unknown[] = []
  const answers: number[] = []
  let over = false
  const lane = async (start: () => Promise<number>, met: unknown[]) => {
    const n = answers.push(0) - 1
    while (!over) {
      try {
        acknowledged.push(await start())
        answers[n] = (answers[n] ?? 0) + 1
      } catch (error) {
        met.push(error)
      }
      // Nodes that write one merchant without a pause keep one another from committing.
      await sleep(20)
    }
  }
  const each = async (times: number) => {
    const before = [...answers]
    while (answers.some((count, n) => count < (before[n] ?? 0) + times)) await sleep(5)
  }
  const old = await firstVersionAt(second)
  const lanes = [lane(() => old.start(), [])]
  await each(10)
  const hosts = addresses.map(address => storageAt(address))
  for (const { payments } of hosts)
    lanes.push(lane(async () => (await payments.start(attempt(), NOW)).payment.id, errors))
  const migrating = storageAt(second)
  await migrating.migrate()
  await each(10)
  over = true
  await Promise.all(lanes)
  for (const error of errors) expect(error).toBeInstanceOf(DatabaseError)
  for (const [n, address] of addresses.entries()) {
    await caughtUp(address)
    const listed = await hosts[n]?.payments.list(merchantId, {}, { skip: 0, limit: 1_000_000 })
    const ids = listed?.items.map(({ id }) => id) ?? []
    const unknown = errors.filter(error => error instanceof CommitUnknownError).length
    expect(ids).toEqual(expect.arrayContaining(acknowledged))
    expect(ids.length).toBeLessThanOrEqual(acknowledged.length + unknown)
    expect(new Set(acknowledged).size).toBe(acknowledged.length)
  }
  for (const storage of [...hosts, migrating]) await storage.close()
  await old.close()
  await db.destroy()
}
