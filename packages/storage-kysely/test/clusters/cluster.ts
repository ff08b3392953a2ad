import { setTimeout as sleep } from 'node:timers/promises'
import type { OwnServer } from '@tillkit/servers'
import mysql from 'mysql2/promise'
import { expect } from 'vitest'
import { CommitUnknownError, DatabaseError, type DatabaseStorage } from '../../src/index.ts'
import { migrateTo } from '../../src/migrations/migrate.ts'
import { mysqlStorage } from '../../src/mysql/index.ts'
import { type Address, hostDatabaseAt, storageAt } from '../engines/address.ts'
import { ALL, attempt, merchantId, NOW, openShop } from '../faults/shop.ts'
import { firstVersionAt, openFirstShop } from '../migrations/versions/first-version.ts'

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

/** Callers that start payments over and over, all of the shop's. */
interface Load {
  /** The payments that they were told of. */
  acknowledged: number[]
  errors: unknown[]
  /** One more caller; what it meets goes to `met`. */
  go(start: () => Promise<number>, met?: unknown[]): void
  /** Resolves when every caller has been told of so many more. */
  each(times: number): Promise<void>
  stop(): Promise<unknown>
}

function underLoad({ pause = 0 } = {}): Load {
  const acknowledged: number[] = []
  const errors: unknown[] = []
  const answers: number[] = []
  const callers: Promise<void>[] = []
  let over = false
  const call = async (start: () => Promise<number>, met: unknown[]) => {
    const n = answers.push(0) - 1
    while (!over) {
      try {
        acknowledged.push(await start())
        answers[n] = (answers[n] ?? 0) + 1
      } catch (error) {
        met.push(error)
      }
      if (pause > 0) await sleep(pause)
    }
  }
  return {
    acknowledged,
    errors,
    go: (start, met = errors) => callers.push(call(start, met)),
    async each(times) {
      const before = [...answers]
      while (answers.some((count, n) => count < (before[n] ?? 0) + times)) await sleep(5)
    },
    stop() {
      over = true
      return Promise.all(callers)
    },
  }
}

async function start({ payments }: DatabaseStorage): Promise<number> {
  return (await payments.start(attempt(), NOW)).payment.id
}

/** Each error is a `DatabaseError`, and what is acknowledged is at each node, once. Returns how many payments each has. */
async function isKept(
  { acknowledged, errors }: Load,
  hosts: [Address, DatabaseStorage][],
  caughtUp: CaughtUp,
): Promise<number[]> {
  for (const error of errors) expect(error).toBeInstanceOf(DatabaseError)
  expect(new Set(acknowledged).size).toBe(acknowledged.length)
  const counts: number[] = []
  for (const [address, { payments }] of hosts) {
    await caughtUp(address)
    const { items } = await payments.list(merchantId, {}, { ...ALL, limit: 1_000_000 })
    const ids = new Set(items.map(({ id }) => id))
    expect(acknowledged.filter(id => !ids.has(id))).toEqual([])
    counts.push(items.length)
  }
  return counts
}

/** Payments are started at all nodes while one is killed and comes back: what is not acknowledged is a `DatabaseError`, what is acknowledged stays. */
export async function loseOne(addresses: Addresses, { lost, caughtUp }: Loss): Promise<void> {
  const hosts = addresses.map((address): [Address, DatabaseStorage] => [
    address,
    mysqlStorage({ uri: uriOf(address), writeTimeoutSeconds: 3, lockTimeoutSeconds: 2 }),
  ])
  const storages = hosts.map(([, storage]) => storage)
  const [first] = storages as [DatabaseStorage]
  await first.migrate()
  await openShop(first)
  await Promise.all(addresses.map(caughtUp))
  const load = underLoad()
  for (const storage of [...storages, ...storages]) load.go(() => start(storage))
  const more = async () => {
    const before = load.acknowledged.length
    while (load.acknowledged.length < before + 20) await sleep(5)
  }
  await more()
  await lost.kill()
  while (!load.errors.some(error => !(error instanceof CommitUnknownError))) await sleep(5)
  await more()
  await lost.start()
  await more()
  await load.stop()
  await isKept(load, hosts, caughtUp)
  for (const storage of storages) await storage.close()
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
  // Nodes that write one merchant without a pause keep one another from committing.
  const load = underLoad({ pause: 20 })
  const old = await firstVersionAt(second)
  load.go(() => old.start(), [])
  await load.each(10)
  const hosts = addresses.map((address): [Address, DatabaseStorage] => [address, storageAt(address)])
  for (const [, storage] of hosts) load.go(() => start(storage))
  const migrating = storageAt(second)
  await migrating.migrate()
  await load.each(10)
  await load.stop()
  const counts = await isKept(load, hosts, caughtUp)
  const unknown = load.errors.filter(error => error instanceof CommitUnknownError).length
  expect(Math.max(...counts)).toBeLessThanOrEqual(load.acknowledged.length + unknown)
  for (const [, storage] of hosts) await storage.close()
  await migrating.close()
  await old.close()
  await db.destroy()
}
