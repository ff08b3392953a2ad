import { type AddressInfo, connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type OwnServer, ownMariadb } from '@tillkit/servers'
import mysql from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { DatabaseError } from '../../src/index.ts'
import { mysqlStorage } from '../../src/mysql/index.ts'
import { startProxy } from '../faults/proxy.ts'
import { serverOf } from '../faults/session.ts'
import { ALL, attempt, merchantId, NOW, openShop, startedCompleted } from '../faults/shop.ts'

describe('a server of MariaDB that takes writes no more, while its address leads to another by now', () => {
  let servers: OwnServer[] = []
  let why: unknown

  beforeAll(async () => {
    try {
      for (let n = 0; n < 2; n++) servers.push(await ownMariadb())
    } catch (error) {
      if (process.env.CI === 'true') throw error
      why = error
    }
  }, 300_000)

  afterAll(async () => {
    for (const server of servers) await server.remove()
    servers = []
  })

  const twoShops = async (context: { skip(note: string): never }) => {
    const [first, second] = servers
    if (!first || !second) return context.skip(`it cannot be started here: ${why}`)
    for (const { url } of [first, second]) await withShop(url)
    return { first, second }
  }

  test('its connections are given up, so that the next write is at the other', {
    timeout: 120_000,
  }, async context => {
    const { first, second } = await twoShops(context)
    const address = await startAddress(first)
    const storage = mysqlStorage({ uri: address.uri })
    const startsOf = (count: number) =>
      Promise.allSettled(Array.from({ length: count }, () => storage.payments.start(attempt(), NOW)))
    for (const { status } of await startsOf(30)) expect(status).toBe('fulfilled')

    await ask(first.url, 'set global read_only = 1')
    address.leadTo(second)
    const refused = (await startsOf(30)).filter(({ status }) => status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
    for (const { reason } of refused as PromiseRejectedResult[]) {
      expect(reason).toBeInstanceOf(DatabaseError)
      expect(reason.message).toMatch(/^the database is read-only: /)
    }
    for (let calls = 0; calls < 30; calls++) await storage.payments.start(attempt(), NOW)
    const { total } = await storage.payments.list(merchantId, {}, ALL)
    expect(total).toBeGreaterThanOrEqual(30)
    await storage.close()
    await address.close()
    await ask(first.url, 'set global read_only = 0')
  })

  test('what comes due at the other is found by who only looks for it, and was told that nothing is due', {
    timeout: 120_000,
  }, async context => {
    const { first, second } = await twoShops(context)
    const address = await startAddress(first)
    const storage = mysqlStorage({ uri: address.uri })
    const claim = () =>
      storage.deliveries.claim({ now: null, leaseUntil: '2099-01-01T00:00:00.000Z', limit: 10 })
    await Promise.all(Array.from({ length: 10 }, claim))

    await ask(first.url, 'set global read_only = 1')
    const patience = { timeout: 60_000, interval: 100 }
    const refused = await vi.waitFor(
      () =>
        claim().then(
          () => expect.fail('not refused'),
          error => error,
        ),
      patience,
    )
    expect(refused).toBeInstanceOf(DatabaseError)
    expect(refused.message).toMatch(/^the database is read-only: /)

    await Promise.all(Array.from({ length: 10 }, () => storage.payments.list(merchantId, {}, ALL)))
    address.leadTo(second)
    const other = mysqlStorage({ uri: second.url })
    await startedCompleted(other, 3)
    await other.close()
    const found = await vi.waitFor(async () => {
      const claimed = await claim()
      expect(claimed).toHaveLength(3)
      return claimed
    }, patience)
    expect(found.map(({ paymentId }) => paymentId).toSorted()).toEqual([1, 2, 3])
    await storage.close()
    await address.close()
  })

  test('whoever only looks is told so too where a connection is lost as it is asked', {
    timeout: 120_000,
  }, async context => {
    const { first } = await twoShops(context)
    const proxy = await startProxy(serverOf({ dialect: 'mysql', uri: first.url }))
    const storage = mysqlStorage({ uri: `mysql://shop:shop@127.0.0.1:${proxy.port}/test` })
    const claim = () =>
      storage.deliveries.claim({ now: null, leaseUntil: '2099-01-01T00:00:00.000Z', limit: 10 })
    await claim()
    await ask(first.url, 'set global read_only = 1')
    await sleep(10_000)
    proxy.cutBefore(/fence/)
    await expect(claim()).rejects.toThrow(DatabaseError)
    expect(proxy.cuts()).toBe(1)
    await expect(claim()).rejects.toThrow(/^the database is read-only: /)
    await storage.close()
    await proxy.close()
    await ask(first.url, 'set global read_only = 0')
  })
})

/** An address that leads to one server, and where it is told to from then on. */
async function startAddress(first: OwnServer) {
  let leadsTo = first
  const address = createServer(client => {
    const server = connect(Number(new URL(leadsTo.url).port), '127.0.0.1')
    client.pipe(server).pipe(client)
    for (const one of [client, server]) one.on('error', () => {})
  })
  await new Promise<void>(resolve => address.listen(0, '127.0.0.1', resolve))
  const { port } = address.address() as AddressInfo
  return {
    uri: `mysql://shop:shop@127.0.0.1:${port}/test`,
    leadTo(server: OwnServer) {
      leadsTo = server
    },
    close: () => new Promise(resolve => address.close(resolve)),
  }
}

/** Tables, a merchant, and a role that is bound by `read_only`. */
async function withShop(url: string): Promise<void> {
  await ask(url, 'drop database test', 'create database test', "drop user if exists shop@'%', shop@localhost")
  const storage = mysqlStorage({ uri: url })
  await storage.migrate()
  await openShop(storage)
  await storage.close()
  await ask(
    url,
    "create user shop@'%' identified by 'shop'",
    "create user shop@localhost identified by 'shop'",
  )
  for (const host of ['%', 'localhost'])
    await ask(url, `grant select, insert, update, delete on test.* to shop@'${host}'`)
}

async function ask(url: string, ...statements: string[]): Promise<void> {
  const connection = await mysql.createConnection(url)
  for (const statement of statements) await connection.query(statement)
  await connection.end()
}
