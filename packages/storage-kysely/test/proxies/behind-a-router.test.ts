import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { describe, expect, test, vi } from 'vitest'
import { DatabaseError, kyselyStorage } from '../../src/index.ts'
import { mysqlStorage } from '../../src/mysql/index.ts'
import { hostDatabaseAt, PATIENT, storageAt } from '../engines/address.ts'
import { inAShop } from '../engines/in-a-shop.ts'
import { overMysql } from '../engines/index.ts'
import { mysqlError, mysqlRefusal } from '../faults/mysql-error.ts'
import { startProxy } from '../faults/proxy.ts'
import { byPort, serverOf } from '../faults/session.ts'
import { ALL, attempt, merchantId, NOW } from '../faults/shop.ts'

/** What a new connection is told in place of a greeting, or after it. */
const REFUSALS: [errno: number, message: string][] = [
  // MySQL Router, while none of its servers is there.
  [2003, "Can't connect to remote MySQL server for client connected to '127.0.0.1:6446'"],
  // A server that has left its group, to whoever does not look after it: MySQL 8, and 9 besides.
  [3032, 'The server is currently in offline mode'],
  [6400, 'The server is currently in offline mode since 2026-11-27 06:16:13, reason: it left its group'],
  [6401, 'The server is currently in offline mode since 2026-11-27 06:16:13, set by user root@localhost'],
]
/** What MySQL Router says of a connection whose server it had given to others. */
const NO_OTHER = [2003, 'HY000', 'Connect to backend failed.'] as const
/**
 * What a Galera node says that is cut off from most of the others, and a server of MySQL's that has left its group, or is leaving it, where
 * `group_replication_consistency` is `BEFORE` or more.
 */
const OUTSIDE: [errno: number, sqlState: string, message: string][] = [
  [1047, '08S01', 'WSREP has not yet prepared node for application use'],
  [3796, 'HY000', 'The option group_replication_consistency cannot be used on the current member state.'],
  [
    3797,
    'HY000',
    "Error while waiting for group transactions commit on group_replication_consistency= 'BEFORE'.",
  ],
  [
    ...([3798, 'HY000'] as const),
    "Error while waiting for transactions with group_replication_consistency= 'AFTER' to commit.",
  ],
]

overMysql(({ create }) => {
  const shop = inAShop(create)

  describe.each(['a pool of its own', "a host's Kysely"])('%s', kind => {
    const hostAt = (port: number) => {
      const address = byPort(shop.database.address, port)
      if (kind === 'a pool of its own') return storageAt(address)
      const db = hostDatabaseAt(address)
      return { ...kyselyStorage(db, 'mysql', PATIENT), close: () => db.destroy() }
    }

    test.each(REFUSALS)(
      'connections that are refused with %s, %s: what is asked meanwhile is done once they are not',
      async (...refusal) => {
        const router = await startRouter(serverOf(shop.database.address), refusal)
        const host = hostAt(router.port)
        const starting = host.payments.start(attempt(), NOW)
        const reading = host.payments.list(merchantId, {}, ALL)
        await vi.waitFor(() => expect(router.refusals()).toBeGreaterThan(3), 20_000)
        router.find()
        expect(await starting).toMatchObject({ payment: { id: 1 }, created: true })
        await reading
        await host.close()
        await router.close()
      },
    )

    test('a statement for which a router finds no server: the write is run again', async () => {
      const proxy = await startProxy(serverOf(shop.database.address))
      const host = hostAt(proxy.port)
      await host.payments.start(attempt(), NOW)
      proxy.answerBefore(/\bbegin\b|insert/i, mysqlError(...NO_OTHER), 3)
      expect(await host.payments.start(attempt(), NOW)).toMatchObject({ payment: { id: 2 }, created: true })
      expect((await shop.storage.payments.list(merchantId, {}, ALL)).total).toBe(2)
      await host.close()
      await proxy.close()
    })
  })

  test.each(OUTSIDE)(
    'connections whose server is outside of its cluster, which answers %s %s, %s: what is asked goes where others lead',
    async (...answer) => {
      const router = await startRouter(serverOf(shop.database.address))
      const { uri } = byPort(shop.database.address, router.port) as { uri: string }
      const host = mysqlStorage({ uri, ...PATIENT })
      const startsOf = (count: number) =>
        Promise.all(Array.from({ length: count }, () => host.payments.start(attempt(), NOW)))
      await Promise.all(Array.from({ length: 10 }, () => host.payments.list(merchantId, {}, ALL)))
      await startsOf(10)
      router.leave(mysqlError(...answer))
      const [{ total }] = await Promise.all([host.payments.list(merchantId, {}, ALL), startsOf(10)])
      expect(total).toBeGreaterThanOrEqual(10)
      for (let calls = 0; calls < 10; calls++) await host.payments.start(attempt(), NOW)
      expect((await shop.storage.payments.list(merchantId, {}, ALL)).total).toBe(30)
      await host.close()
      await router.close()
    },
  )

  test.each(REFUSALS)(
    'connections that stay refused with %s, %s: the database cannot be reached, in these words',
    async (...refusal) => {
      const router = await startRouter(serverOf(shop.database.address), refusal)
      const { uri } = byPort(shop.database.address, router.port) as { uri: string }
      const host = mysqlStorage({ uri, lockTimeoutSeconds: 3, readTimeoutSeconds: 3, writeTimeoutSeconds: 3 })
      const calls = [host.payments.start(attempt(), NOW), host.payments.list(merchantId, {}, ALL)]
      for (const error of await Promise.all(calls.map(call => call.catch(thrown => thrown)))) {
        expect(error).toBeInstanceOf(DatabaseError)
        expect(error.message).toBe(`the database cannot be reached: ${refusal[1]}`)
      }
      await host.close()
      await router.close()
    },
  )

  test('connections that were refused, and then say nothing: the refusal is told once the time is over', async () => {
    const [refusal = [0, '']] = REFUSALS
    const router = await startRouter(serverOf(shop.database.address), refusal)
    const { uri } = byPort(shop.database.address, router.port) as { uri: string }
    const host = mysqlStorage({ uri, readTimeoutSeconds: 4 })
    const reading = host.payments.list(merchantId, {}, ALL).catch(error => error)
    await vi.waitFor(() => expect(router.refusals()).toBeGreaterThan(1), 20_000)
    router.hush()
    expect((await reading).message).toBe(`the database cannot be reached: ${refusal[1]}`)
    await host.close()
    await router.close()
  })
})

/** A router that refuses connections, where it is told how, until it is told to find a server for them. */
async function startRouter(
  server: { host: string; port: number },
  refusal?: [errno: number, message: string],
) {
  let finds = refusal === undefined
  let refusals = 0
  let hushed = false
  const sockets = new Set<Socket>()
  const left = new Map<Socket, Buffer>()
  const router = createServer(client => {
    sockets.add(client.on('error', () => {}))
    if (hushed) return
    if (finds) {
      const behind = connect(server).on('error', () => {})
      sockets.add(behind)
      behind.pipe(client)
      client.on('data', data => {
        const answer = left.get(client)
        if (answer) client.write(answer)
        else behind.write(data)
      })
      client.on('close', () => behind.destroy())
    } else if (refusal) {
      refusals += 1
      client.end(mysqlRefusal(...refusal))
    }
  })
  await new Promise<void>(resolve => router.listen(0, '127.0.0.1', resolve))
  return {
    port: (router.address() as AddressInfo).port,
    refusals: () => refusals,
    find: () => {
      finds = true
    },
    /** From now on connections are taken, and nothing is said. */
    hush: () => {
      hushed = true
    },
    /** From now on each statement is answered so on the connections there are. */
    leave(answer: Buffer) {
      for (const socket of sockets) left.set(socket, answer)
    },
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise(resolve => router.close(resolve))
    },
  }
}
