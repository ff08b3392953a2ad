import { spawnSync } from 'node:child_process'
import { type AddressInfo, createServer } from 'node:net'
import { freePort, ownPgbouncer } from '@tillkit/servers'
import { expect, test } from 'vitest'
import { DatabaseError, type DatabaseStorage } from '../../src/index.ts'
import { postgresStorage } from '../../src/postgres/index.ts'
import { PATIENT, storageAt } from '../engines/address.ts'
import { overPostgres } from '../engines/index.ts'
import { createUser } from '../engines/user.ts'
import { CONNECTIONS, holdConnections } from '../faults/hold-connections.ts'
import { startProxy } from '../faults/proxy.ts'
import { byPort, openSession, serverOf } from '../faults/session.ts'
import { attempt, merchantId, NOW, openShop } from '../faults/shop.ts'

/** What a standby answers to who asks whether it refuses writes: a row of one flag, and that it waits for more. */
const YES = Buffer.concat([
  Buffer.from('T\0\0\0\x20\0\x01refuses\0\0\0\0\0\0\0\0\0\0\x10\0\x01\xff\xff\xff\xff\0\0', 'latin1'),
  Buffer.from('D\0\0\0\x0b\0\x01\0\0\0\x01t', 'latin1'),
  Buffer.from('C\0\0\0\x0dSELECT 1\0Z\0\0\0\x05I', 'latin1'),
])

const HAS_PGBOUNCER = spawnSync('pgbouncer', ['--version']).error === undefined

/** How many connections a user or a client may have, where that is fewer than the pool makes. */
const FEW = 3

/** A server that ends each connection, and counts them. */
async function startGone() {
  let reached = 0
  const server = createServer(socket => {
    reached += 1
    socket.destroy()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { host, reached: () => reached, close: () => server.close() }
}

overPostgres(({ create }) => {
  /** A database with a shop in it. */
  const createShop = async () => {
    const { address, drop } = await create()
    if (address.dialect !== 'postgres') throw new Error('not PostgreSQL')
    const owner = storageAt(address)
    await owner.migrate()
    await openShop(owner)
    await owner.close()
    const { connectionString, schema } = address
    return { address, connectionString, host: new URL(connectionString).host, place: { schema }, drop }
  }

  test.each(['any', 'read-write', 'primary'])(
    'the next host is tried: target_session_attrs=%s',
    async wanted => {
      const { address, drop } = await create()
      if (address.dialect !== 'postgres') throw new Error('not PostgreSQL')
      const { connectionString, schema } = address
      const url = new URL(connectionString)
      url.searchParams.set('target_session_attrs', wanted)
      // `URL` knows one host only.
      const several = url.href.replace(url.host, `${url.hostname}:${await freePort()},${url.host}`)
      const storage = postgresStorage({ connectionString: several, ...PATIENT }, { schema })
      await storage.migrate()
      await openShop(storage)
      expect((await storage.payments.start(attempt(), NOW)).payment.id).toBe(1)
      await storage.close()
      await drop()
    },
  )

  test.each<[string, (storage: DatabaseStorage) => unknown]>([
    ['storage.transaction', storage => storage.transaction(inside => inside.payments.start(attempt(), NOW))],
    ['migrationsLeft', storage => storage.migrationsLeft()],
    [
      'inspect',
      storage => storage.inspect?.({ now: NOW, webhookKeyPrefixes: [], longTransactionSeconds: 60 }),
    ],
  ])('the next host is tried: %s', async (_, call) => {
    const { connectionString, host, place, drop } = await createShop()
    const several = connectionString.replace(host, `127.0.0.1:${await freePort()},${host}`)
    const storage = postgresStorage({ connectionString: several, ...PATIENT }, place)
    await call(storage)
    await storage.close()
    await drop()
  })

  test('a server whose connections are all in use is not left for the next one', async () => {
    const { connectionString, host, place, drop } = await createShop()
    const next = await startGone()
    const storage = postgresStorage(
      {
        ...{ connectionString: connectionString.replace(host, `${host},${next.host}`), ...PATIENT },
        // Longer than a connection is waited for.
        readTimeoutSeconds: 7,
      },
      place,
    )
    const letGo = await holdConnections(storage)
    const before = next.reached()
    await expect(storage.merchants.get(merchantId)).rejects.toThrow(DatabaseError)
    expect(next.reached()).toBe(before)
    await letGo()
    expect((await storage.merchants.get(merchantId))?.id).toBe(merchantId)
    await storage.close()
    next.close()
    await drop()
  })

  /** More reads at once than there are connections, with a server that is gone named after the good one. */
  const readAtOnce = async (connectionString: string, place: { schema: string }) => {
    const next = await startGone()
    const { host } = new URL(connectionString)
    const both = connectionString.replace(`@${host}`, `@${host},${next.host}`)
    const storage = postgresStorage({ connectionString: both, preparedStatements: false, ...PATIENT }, place)
    const reads = Array.from({ length: CONNECTIONS }, () => storage.merchants.get(merchantId))
    for (const found of await Promise.allSettled(reads))
      expect(found).toMatchObject({ status: 'fulfilled', value: { id: merchantId } })
    expect(next.reached()).toBe(0)
    await storage.close()
    next.close()
  }

  test('a server of which the role may have fewer connections than the pool makes is not left for the next one', async () => {
    const { address, place, drop } = await createShop()
    const user = await createUser(address, 'select')
    const { connectionString } = user.address as typeof address
    const keeper = await openSession(address)
    await keeper.run(`alter role "${new URL(connectionString).username}" connection limit ${FEW}`)
    await keeper.close()
    await readAtOnce(connectionString, place)
    await user.drop()
    await drop()
  })

  test.skipIf(!HAS_PGBOUNCER)('nor is a PgBouncer that takes no more clients', async () => {
    const { connectionString, place, drop } = await createShop()
    const pooler = await ownPgbouncer({ url: connectionString, settings: { max_client_conn: `${FEW}` } })
    await readAtOnce(pooler.url, place)
    await pooler.remove()
    await drop()
  })

  test('a standby that is asked again and again, as no server takes writes, has connections when it does', async () => {
    const { address, place, drop } = await createShop()
    const standby = await startProxy(serverOf(address))
    standby.answerBefore(/transaction_read_only/, YES, CONNECTIONS + 2)
    const { connectionString } = byPort(address, standby.port) as typeof address
    const { host } = new URL(connectionString)
    const both = connectionString.replace(host, `${host},127.0.0.1:${await freePort()}`)
    const storage = postgresStorage({ connectionString: both, ...PATIENT }, place)
    while (!(await storage.merchants.get(merchantId).catch(() => null))) {}
    expect((await storage.payments.start(attempt(), NOW)).payment.id).toBe(1)
    await storage.close()
    await standby.close()
    await drop()
  })

  test('a standby is left for the next one, also where the address does not say what is wanted', async () => {
    const { address, host, place, drop } = await createShop()
    const standby = await startProxy(serverOf(address))
    standby.answerBefore(/transaction_read_only/, YES, Number.POSITIVE_INFINITY)
    const { connectionString } = byPort(address, standby.port) as typeof address
    const first = new URL(connectionString).host
    const both = connectionString.replace(first, `${first},${host}`)
    const storage = postgresStorage({ connectionString: both, ...PATIENT }, place)
    expect((await storage.payments.start(attempt(), NOW)).payment.id).toBe(1)
    await expect.poll(() => standby.open()).toBe(0)
    await storage.close()
    await standby.close()
    await drop()
  })

  test('a server that says nothing when it is asked whether it takes writes is left for the next one', async () => {
    const { address, host, place, drop } = await createShop()
    const silent = await startProxy(serverOf(address))
    silent.swallowBefore(/transaction_read_only/, Number.POSITIVE_INFINITY)
    const { connectionString } = byPort(address, silent.port) as typeof address
    const first = new URL(connectionString)
    first.searchParams.set('target_session_attrs', 'read-write')
    const storage = postgresStorage(
      {
        connectionString: first.href.replace(first.host, `${first.host},${host}`),
        ...{ lockTimeoutSeconds: 0.5, readTimeoutSeconds: 0.5, writeTimeoutSeconds: 1 },
      },
      place,
    )
    const found = () => storage.merchants.get(merchantId).catch(() => null)
    await expect.poll(found, { timeout: 20_000 }).not.toBe(null)
    await storage.close()
    await silent.close()
    await drop()
  })

  test('many that find a server gone at the same moment leave it once', async () => {
    const { connectionString, host, place, drop } = await createShop()
    const gone = await startGone()
    const several = connectionString.replace(host, `${gone.host},${host}`)
    const storage = postgresStorage({ connectionString: several, ...PATIENT }, place)
    // So many that they would leave the other one as well, and each over a connection of its own.
    const calls = Array.from({ length: 8 }, (_, id) => storage.payments.get({ merchantId, id }))
    for (const found of await Promise.all(calls)) expect(found).toBeNull()
    expect(gone.reached()).toBeLessThanOrEqual(calls.length)
    await storage.close()
    gone.close()
    await drop()
  })
})
