import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import type { DatabaseStorage } from '../../src/index.ts'
import { postgresStorage } from '../../src/postgres/index.ts'
import { PATIENT } from '../engines/address.ts'
import { ALL, attempt, merchantId, NOW, openShop, startedCompleted } from '../faults/shop.ts'
import { followed, overFollowers, stopClock, totalOf } from './over-followers.ts'

const HOUR = 3600

overFollowers(({ name, start, theServers }) => {
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
