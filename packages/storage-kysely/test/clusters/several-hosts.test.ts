import { type AddressInfo, createServer } from 'node:net'
import { freePort } from '@tillkit/servers'
import { expect, test } from 'vitest'
import { DatabaseError } from '../../src/index.ts'
import { postgresStorage } from '../../src/postgres/index.ts'
import { PATIENT } from '../engines/address.ts'
import { overPostgres } from '../engines/index.ts'
import { startProxy } from '../faults/proxy.ts'
import { byPort, serverOf } from '../faults/session.ts'
import { attempt, merchantId, NOW, openShop } from '../faults/shop.ts'

/** What a pool of Tillkit's own has. */
const CONNECTIONS = 10

/** What a standby answers to who asks whether it refuses writes: a row of one flag, and that it waits for more. */
const YES = Buffer.concat([
  Buffer.from('T\0\0\0\x20\0\x01refuses\0\0\0\0\0\0\0\0\0\0\x10\0\x01\xff\xff\xff\xff\0\0', 'latin1'),
  Buffer.from('D\0\0\0\x0b\0\x01\0\0\0\x01t', 'latin1'),
  Buffer.from('C\0\0\0\x0dSELECT 1\0Z\0\0\0\x05I', 'latin1'),
])

overPostgres(({ create }) => {
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

  test('a server whose connections are all in use is not left for the next one', async () => {
    const { address, drop } = await create()
    if (address.dialect !== 'postgres') throw new Error('not PostgreSQL')
    const { connectionString, schema } = address
    const owner = postgresStorage({ connectionString, ...PATIENT }, { schema })
    await owner.migrate()
    await openShop(owner)
    let reached = 0
    const next = createServer(socket => {
      reached += 1
      socket.destroy()
    })
    await new Promise<void>(resolve => next.listen(0, '127.0.0.1', resolve))
    const { host } = new URL(connectionString)
    const both = `${host},127.0.0.1:${(next.address() as AddressInfo).port}`
    const storage = postgresStorage(
      // Longer than a connection is waited for.
      { connectionString: connectionString.replace(host, both), ...PATIENT, readTimeoutSeconds: 7 },
      { schema },
    )
    const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let open = 0
    const transactions = Array.from({ length: CONNECTIONS }, () =>
      storage.transaction(async inside => {
        await inside.merchants.get(merchantId)
        open += 1
        if (open === CONNECTIONS) begun.resolve()
        await goOn.promise
      }),
    )
    await begun.promise
    reached = 0
    await expect(storage.merchants.get(merchantId)).rejects.toThrow(DatabaseError)
    expect(reached).toBe(0)
    goOn.resolve()
    await Promise.all(transactions)
    expect((await storage.merchants.get(merchantId))?.id).toBe(merchantId)
    await Promise.all([storage.close(), owner.close()])
    next.close()
    await drop()
  })

  test('a standby that is asked again and again, as no server takes writes, has connections when it does', async () => {
    const { address, drop } = await create()
    if (address.dialect !== 'postgres') throw new Error('not PostgreSQL')
    const { schema } = address
    const owner = postgresStorage({ connectionString: address.connectionString, ...PATIENT }, { schema })
    await owner.migrate()
    await openShop(owner)
    const standby = await startProxy(serverOf(address))
    standby.answerBefore(/transaction_read_only/, YES, CONNECTIONS + 2)
    const { connectionString } = byPort(address, standby.port) as typeof address
    const { host } = new URL(connectionString)
    const both = connectionString.replace(host, `${host},127.0.0.1:${await freePort()}`)
    const storage = postgresStorage({ connectionString: both, ...PATIENT }, { schema })
    while (!(await storage.merchants.get(merchantId).catch(() => null))) {}
    expect((await storage.payments.start(attempt(), NOW)).payment.id).toBe(1)
    await Promise.all([storage.close(), owner.close()])
    await standby.close()
    await drop()
  })

  test('many that find a server gone at the same moment leave it once', async () => {
    const { address, drop } = await create()
    if (address.dialect !== 'postgres') throw new Error('not PostgreSQL')
    const { connectionString, schema } = address
    const owner = postgresStorage({ connectionString, ...PATIENT }, { schema })
    await owner.migrate()
    await openShop(owner)
    let reached = 0
    const gone = createServer(socket => {
      reached += 1
      socket.destroy()
    })
    await new Promise<void>(resolve => gone.listen(0, '127.0.0.1', resolve))
    const { host } = new URL(connectionString)
    const both = `127.0.0.1:${(gone.address() as AddressInfo).port},${host}`
    const several = { connectionString: connectionString.replace(host, both), ...PATIENT }
    const storage = postgresStorage(several, { schema })
    // So many that they would leave the other one as well, and each over a connection of its own.
    const calls = Array.from({ length: 8 }, (_, id) => storage.payments.get({ merchantId, id }))
    for (const found of await Promise.all(calls)) expect(found).toBeNull()
    expect(reached).toBeLessThanOrEqual(calls.length)
    await Promise.all([storage.close(), owner.close()])
    gone.close()
    await drop()
  })
})
