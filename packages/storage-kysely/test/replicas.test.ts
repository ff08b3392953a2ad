import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DatabaseStorage } from '../src/index.ts'
import { ALL, attempt, merchantId, NOW, openShop, startedCompleted } from './faults/shop.ts'
import { FOLLOWERS, type Followed } from './replicas/followers.ts'

const HOUR = 3600

describe.each(FOLLOWERS)('a replica of %s', (name, start) => {
  let servers: Followed | undefined
  let why: unknown

  beforeAll(async () => {
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
    if (process.env.CI === 'true') throw why
    return context.skip(`${name} cannot be started here: ${why}`)
  }

  /** Until the replica is asked, and has come as far as the storage now is. */
  const followed = async (storage: DatabaseStorage, total: number) => {
    while ((await storage.payments.list(merchantId, {}, ALL)).total !== total) await sleep(20)
  }

  test('answers pages and finished payments while it is near; what it does not know is asked elsewhere', {
    timeout: 300_000,
  }, async context => {
    const { primary, replica, pause, goOn, storage: open } = theServers(context)
    const storage = open(HOUR)
    await storage.migrate()
    await openShop(storage)
    await storage.scanCodes.add({ code: 'till-1', merchantId, reference: null, createdAt: NOW })
    const [first = 0] = await startedCompleted(storage, 3)
    await followed(storage, 3)
    // From now on it is near enough for an hour, whatever it knows.
    await pause()
    const { payment } = await storage.payments.start(attempt({ attemptKey: 'once' }), NOW)
    while ((await storage.payments.list(merchantId, {}, ALL)).total !== 3) await sleep(20)

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
    const reference = 'a'.repeat(32)
    await storage.cashUps.create(merchantId, { reference, idempotencyKey: null, now: NOW })
    expect(await storage.cashUps.payments(merchantId, reference, ALL)).toMatchObject({ total: 4 })
    // That was asked elsewhere; this is not.
    expect(await storage.cashUps.list(merchantId, ALL)).toEqual({ items: [], total: 0 })
    expect((await storage.payments.list(merchantId, { status: ['completed'] }, ALL)).total).toBe(3)

    await primary.kill()
    expect((await storage.payments.get({ merchantId, id: first }))?.status).toBe('completed')
    expect((await storage.payments.list(merchantId, {}, ALL)).total).toBe(3)
    await primary.start()
    await goOn()
    await followed(storage, 4)
    await replica.kill()
    expect((await storage.payments.list(merchantId, {}, ALL)).total).toBe(4)
    expect((await storage.cashUps.list(merchantId, ALL)).total).toBe(1)
    await replica.start()
    await storage.close()
  })

  test('is left alone when it is further behind than it may be', { timeout: 300_000 }, async context => {
    const { pause, goOn, storage: open } = theServers(context)
    const storage = open(0.5)
    await storage.migrate()
    const before = (await storage.payments.list(merchantId, {}, ALL)).total
    await pause()
    await storage.scanCodes.resume('till-1')
    await startedCompleted(storage, 1)
    await followed(storage, before + 1)
    // Whatever was known of it is older now than it may be.
    await sleep(600)
    for (let n = 0; n < 20; n++) {
      expect((await storage.payments.list(merchantId, {}, ALL)).total).toBe(before + 1)
      await sleep(20)
    }
    await goOn()
    await storage.close()
  })
})
