import { setTimeout as sleep } from 'node:timers/promises'
import type { OwnServer } from '@tillkit/servers'
import { UnreadableRowError } from '@tillkit/storage'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, type TestContext, test, vi } from 'vitest'
import type { DatabaseStorage } from '../../src/index.ts'
import { postgresStorage } from '../../src/postgres/index.ts'
import { PATIENT } from '../engines/address.ts'
import { mysqlError } from '../faults/mysql-error.ts'
import { postgresError } from '../faults/postgres-error.ts'
import { startProxy } from '../faults/proxy.ts'
import { ALL, attempt, merchantId, NOW, openShop, startedCompleted } from '../faults/shop.ts'
import { FOLLOWERS, type Followed, tellMysql, tellPostgres } from './followers.ts'

const HOUR = 3600

describe.each(FOLLOWERS)('a replica of %s', (name, start, missing) => {
  let servers: Followed | undefined
  let why: unknown

  beforeAll(async () => {
    if (missing !== undefined) return
    servers = await start().catch(error => {
      why = error
      return undefined
    })
  }, 300_000)

  afterAll(async () => {
    await servers?.replica.remove()
    await servers?.primary.remove()
  })

  const theServers = (context: { skip(note: string): never }): Followed => {
    if (servers) return servers
    if (missing !== undefined) return context.skip(missing)
    if (process.env.CI === 'true') throw why
    return context.skip(`${name} cannot be started here: ${why}`)
  }

  const totalOf = async (storage: DatabaseStorage) => (await storage.payments.list(merchantId, {}, ALL)).total

  const behindProxy = async (server: OwnServer) => {
    const address = new URL(server.url)
    const proxy = await startProxy({ host: address.hostname, port: Number(address.port) })
    address.port = `${proxy.port}`
    return { proxy, url: address.href }
  }

  /** Until the replica has come so far, and is what the storage asks. */
  const followed = async ({ alone: open, reads }: Followed, storage: DatabaseStorage, total: number) => {
    const alone = open()
    while ((await totalOf(alone).catch(() => 0)) !== total) await sleep(20)
    await alone.close()
    // Its own reads are counted later: once, so that the second time they are the storage's.
    await sleep(1500)
    for (let times = 0; times < 2; times++) {
      const before = await reads()
      while ((await reads()) === before) {
        await totalOf(storage).catch(() => {})
        await sleep(100)
      }
    }
  }

  test('answers pages and finished payments while it is near; what it does not know is asked elsewhere', {
    timeout: 300_000,
  }, async context => {
    const servers = theServers(context)
    const { primary, replica, pause, goOn, storage: open } = servers
    const storage = open(HOUR)
    await storage.migrate()
    await openShop(storage)
    await storage.scanCodes.add({ code: 'till-1', merchantId, reference: null, createdAt: NOW })
    const [first = 0] = await startedCompleted(storage, 3)
    const cashUp = async (reference: string) => {
      await storage.cashUps.create(merchantId, { reference, idempotencyKey: null, now: NOW })
      return reference
    }
    const complete = await cashUp('a'.repeat(32))
    const { payment: known } = await storage.payments.start(attempt(), NOW)
    const early = await cashUp('b'.repeat(32))
    await followed(servers, storage, 4)
    // From now on it is near enough for an hour, whatever it knows.
    await pause()
    const { payment } = await storage.payments.start(attempt({ attemptKey: 'once' }), NOW)
    expect(await totalOf(storage)).toBe(4)
    // The replica has it pending from now on.
    await storage.payments.resolve(known, { status: 'completed' }, NOW)
    expect((await storage.payments.get(known))?.status).toBe('completed')

    expect((await storage.payments.get(payment))?.status).toBe('pending')
    expect((await storage.payments.start(attempt({ attemptKey: 'once' }), NOW)).created).toBe(false)
    expect(await storage.payments.findAttempt(merchantId, 'once')).toEqual(payment)
    const resolved = await storage.payments.resolve(payment, { status: 'completed' }, NOW)
    expect(resolved?.payment.status).toBe('completed')
    expect((await storage.payments.get(payment))?.status).toBe('completed')
    const again = await storage.payments.resolve(payment, { status: 'error', failure: null }, NOW)
    expect(again).toEqual({ payment: resolved?.payment, changed: false })
    await storage.scanCodes.suspend('till-1', NOW)
    expect((await storage.scanCodes.find('till-1'))?.scanCode.suspendedAt).toBe(NOW)
    // The replica has it, and not the end of its payment; the next one it does not know.
    expect(await storage.cashUps.payments(merchantId, early, ALL)).toMatchObject({ total: 1 })
    const late = await cashUp('c'.repeat(32))
    expect(await storage.cashUps.payments(merchantId, late, ALL)).toMatchObject({ total: 1 })
    // Those were asked elsewhere; this is not.
    expect((await storage.cashUps.list(merchantId, ALL)).total).toBe(2)
    expect((await storage.payments.list(merchantId, { status: ['completed'] }, ALL)).total).toBe(3)

    await primary.kill()
    expect((await storage.payments.get({ merchantId, id: first }))?.status).toBe('completed')
    expect(await totalOf(storage)).toBe(4)
    expect(await storage.cashUps.payments(merchantId, complete, ALL)).toMatchObject({ total: 3 })
    await primary.start()
    await goOn()
    await followed(servers, storage, 5)
    await replica.kill()
    expect(await totalOf(storage)).toBe(5)
    expect((await storage.cashUps.list(merchantId, ALL)).total).toBe(3)
    await replica.start()
    await storage.scanCodes.resume('till-1')
    await storage.close()
  })

  test('that failed once is asked again, though it has come no further', {
    timeout: 300_000,
  }, async context => {
    const servers = theServers(context)
    const { replica, pause, goOn, storage: open } = servers
    const { proxy, url } = await behindProxy(replica)
    const storage = open(HOUR, { readTimeoutSeconds: 10 }, url)
    const before = await totalOf(storage)
    await followed(servers, storage, before)
    await pause()
    await startedCompleted(storage, 1)
    expect(await totalOf(storage)).toBe(before)
    proxy.swallow(true)
    while ((await totalOf(storage)) !== before + 1) await sleep(20)
    proxy.swallow(false)
    while ((await totalOf(storage)) !== before) await sleep(20)
    await goOn()
    await storage.close()
    // The replica was near enough for an hour.
    await expect(totalOf(storage)).rejects.toThrow('closed')
    await proxy.close()
  })

  test('that answers no more leaves the rest of the time for a read to the other server', {
    timeout: 300_000,
  }, async context => {
    const servers = theServers(context)
    const { primary, replica, storage: open } = servers
    const proxyTo = async ({ url }: OwnServer) => {
      const address = new URL(url)
      const proxy = await startProxy({ host: address.hostname, port: Number(address.port) })
      address.port = `${proxy.port}`
      return { proxy, url: address.href }
    }
    const [one, two] = [await proxyTo(primary), await proxyTo(replica)]
    const storage = open(HOUR, { readTimeoutSeconds: 7 }, two.url, one.url)
    await followed(servers, storage, await totalOf(storage))
    for (const { proxy } of [one, two]) proxy.swallow(true)
    const timers = vi.spyOn(globalThis, 'setTimeout')
    await expect(totalOf(storage)).rejects.toThrow('the database did not answer within 7 seconds')
    const waits = timers.mock.calls.map(([_, milliseconds = 0]) => milliseconds)
    timers.mockRestore()
    // A fifth is the replica's.
    expect(waits.filter(wait => wait > 5600 && wait <= 7000)).toEqual([])
    // The replica is taken for near as long as nobody can say otherwise.
    two.proxy.swallow(false)
    while (!(await totalOf(storage).catch(() => 0))) {}
    const late = open(HOUR, { readTimeoutSeconds: 1 }, two.url, one.url)
    await expect(totalOf(late)).rejects.toThrow('the database ')
    one.proxy.swallow(false)
    await followed(servers, late, await totalOf(storage))
    await Promise.all([storage.close(), late.close()])
    for (const { proxy } of [one, two]) {
      while (proxy.open() > 0) await sleep(20)
      await proxy.close()
    }
  })

  test('is left alone when it is further behind than it may be', { timeout: 300_000 }, async context => {
    const servers = theServers(context)
    const { pause, goOn, storage: open } = servers
    const storage = open(0.5)
    await storage.migrate()
    const before = await totalOf(storage)
    // Only what was near enough once can be asked for too long.
    await followed(servers, storage, before)
    await pause()
    await startedCompleted(storage, 1)
    while ((await totalOf(storage)) !== before + 1) await sleep(20)
    // Whatever was known of it is older now than it may be.
    await sleep(600)
    for (let n = 0; n < 20; n++) {
      expect(await totalOf(storage)).toBe(before + 1)
      await sleep(20)
    }
    await goOn()
    await storage.close()
  })

  /** Stops the clock that lags are told by until the test is over. Answers what puts it forward by seconds. */
  const stopClock = (context: TestContext) => {
    let now = performance.now()
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
    context.onTestFinished(() => void clock.mockRestore())
    return (seconds: number) => {
      now += seconds * 1000
    }
  }

  test.for([
    ['an hour', HOUR, 2400, 1300],
    ['five seconds, where none are named', undefined, 2, 3.1],
  ] as const)(
    'is as far behind as when it was last near: asked for %s',
    { timeout: 300_000 },
    async ([, most, near, further], context) => {
      const servers = theServers(context)
      const { pause, goOn, storage: open } = servers
      const storage = open(most)
      const before = await totalOf(storage)
      await followed(servers, storage, before)
      const putForward = stopClock(context)
      // What it was looked at before is not what it is judged by.
      if (most) putForward(near)
      // Forty times: a look that takes long is over, and the last one is of this moment.
      for (let n = 0; n < 40; n++) {
        if (n < 20) putForward(1.1)
        await totalOf(storage)
        await sleep(50)
      }
      context.onTestFinished(goOn)
      await pause()
      await startedCompleted(storage, 1)
      putForward(most ? further : near)
      expect(await totalOf(storage)).toBe(before)
      putForward(most ?? further)
      expect(await totalOf(storage)).toBe(before + 1)
      await storage.close()
    },
  )

  test('that has a row which cannot be read is asked for all others', {
    timeout: 300_000,
  }, async context => {
    const servers = theServers(context)
    const { primary, pause, goOn, storage: open } = servers
    const storage = open(HOUR)
    const [unreadable, other] = ['unreadable', 'other']
    for (const id of [unreadable, other]) await openShop(storage, id)
    await storage.payments.start(attempt({ merchantId: unreadable }), NOW)
    const update = `update tillkit_payments set total_amount = 9007199254740993 where merchant_id = '${unreadable}'`
    await (name === 'PostgreSQL' ? tellPostgres(primary.url, update) : tellMysql(primary.url, update))
    await startedCompleted(storage, 1)
    await followed(servers, storage, await totalOf(storage))
    stopClock(context)
    context.onTestFinished(goOn)
    await pause()
    await storage.payments.start(attempt({ merchantId: other }), NOW)
    const ofOther = async () => (await storage.payments.list(other, {}, ALL)).total
    expect(await ofOther()).toBe(0)
    const read = storage.payments.get({ merchantId: unreadable, id: 1 })
    await expect(read).rejects.toBeInstanceOf(UnreadableRowError)
    expect(await ofOther()).toBe(0)
    await storage.close()
  })

  test('that fails while it is looked at is left alone until it is looked at once more', {
    timeout: 300_000,
  }, async context => {
    const servers = theServers(context)
    const { replica, pause, goOn, storage: open } = servers
    const { proxy, url } = await behindProxy(replica)
    const storage = open(HOUR, PATIENT, url)
    const before = await totalOf(storage)
    await followed(servers, storage, before)
    const putForward = stopClock(context)
    context.onTestFinished(goOn)
    await pause()
    await startedCompleted(storage, 1)
    // By what is asked on MariaDB and MySQL, which may have the statement's text already.
    const looked = proxy.keepAnswer(/pg_is_in_recovery|%,\d+-\d+-%|[\da-f]{8}-[\da-f]{4}-/)
    putForward(1.1)
    expect(await totalOf(storage)).toBe(before)
    const letGo = await looked
    const full = name === 'PostgreSQL' ? postgresError('53100', 'full') : mysqlError(1021, 'HY000', 'full')
    proxy.answerBefore(/shop/, full)
    expect(await totalOf(storage)).toBe(before + 1)
    letGo()
    for (let n = 0; n < 20; n++) {
      expect(await totalOf(storage)).toBe(before + 1)
      await sleep(20)
    }
    while ((await totalOf(storage)) !== before) {
      putForward(1.1)
      await sleep(20)
    }
    await storage.close()
    await proxy.close()
  })

  test.runIf(name === 'PostgreSQL')(
    'is looked at now and then, and not with each call',
    { timeout: 300_000 },
    async context => {
      const servers = theServers(context)
      const { primary, storage: open } = servers
      const storage = open(HOUR)
      const total = await totalOf(storage)
      await followed(servers, storage, total)
      stopClock(context)
      const sent = vi.spyOn(pg.Client.prototype, 'query')
      for (let n = 0; n < 20; n++) {
        expect(await totalOf(storage)).toBe(total)
        await sleep(50)
      }
      const port = Number(new URL(primary.url).port)
      const asked = sent.mock.contexts.filter(client => (client as pg.Client).port === port)
      sent.mockRestore()
      // One look may have been due.
      expect(asked.length).toBeLessThan(5)
      await storage.close()
    },
  )

  test.runIf(name === 'PostgreSQL')(
    'is read in the schema where the other server has the tables',
    {
      timeout: 300_000,
    },
    async context => {
      const { primary, replica, pause, goOn, create } = theServers(context)
      await create('till_c')
      const at = (url: string, path: string) =>
        Object.assign(new URL(url), { pathname: '/till_c', search: `?options=-c search_path=${path}` }).href
      const openAt = (connectionString: string, copy?: string) =>
        postgresStorage({
          connectionString,
          replica: copy ? { connectionString: copy, maxLagSeconds: HOUR } : undefined,
          ...PATIENT,
        })
      const [meant, other] = ['meant', 'other'].map(schema =>
        postgresStorage({ connectionString: at(primary.url, 'public'), ...PATIENT }, { schema }),
      ) as DatabaseStorage[] as [DatabaseStorage, DatabaseStorage]
      for (const [storage, count] of [
        [meant, 3],
        [other, 1],
      ] as const) {
        await storage.migrate()
        await openShop(storage)
        await startedCompleted(storage, count)
      }
      const storage = openAt(at(primary.url, 'meant'), at(replica.url, 'other'))
      const copied = openAt(at(replica.url, 'other'))
      while ((await totalOf(copied).catch(() => 0)) !== 1) await sleep(20)
      for (let n = 0; n < 30; n++) {
        expect(await totalOf(storage)).toBe(3)
        await sleep(100)
      }
      await pause()
      await startedCompleted(meant, 1)
      while ((await totalOf(storage)) !== 3) await sleep(20)
      await goOn()
      await Promise.all([meant, other, storage, copied].map(opened => opened.close()))
    },
  )

  test('of another server, or of another database, is left alone', { timeout: 300_000 }, async context => {
    const servers = theServers(context)
    const { primary, replica, create, storage: open, alone } = servers
    const others = await start()
    await create('till_b')
    const at = (url: string) => Object.assign(new URL(url), { pathname: '/till_b' }).href
    const first = open(HOUR)
    await first.migrate()
    const before = await totalOf(first)
    const copies = [
      [at(primary.url), at(replica.url)],
      [others.primary.url, others.replica.url],
    ]
    for (const [url = '', copy = ''] of copies) {
      const [written, copied] = [alone(url), alone(copy)]
      await written.migrate()
      await openShop(written)
      await startedCompleted(written, before + 1)
      if (copy === others.replica.url) await others.hurry()
      while ((await totalOf(copied).catch(() => 0)) !== before + 1) await sleep(20)
      const storage = open(HOUR, PATIENT, copy)
      for (let n = 0; n < 20; n++) {
        expect(await totalOf(storage)).toBe(before)
        await sleep(100)
      }
      await Promise.all([written, copied, storage].map(opened => opened.close()))
    }
    await first.close()
    await others.replica.remove()
    await others.primary.remove()
  })
})
