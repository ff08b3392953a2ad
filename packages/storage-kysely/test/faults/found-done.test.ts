import { setTimeout as sleep } from 'node:timers/promises'
import type { Payment } from '@tillkit/domain'
import type { Resolved } from '@tillkit/storage'
import { beforeEach, describe, expect, test } from 'vitest'
import { CommitUnknownError, type DatabaseStorage } from '../../src/index.ts'
import { storageAt } from '../engines/address.ts'
import { inAShop } from '../engines/in-a-shop.ts'
import { overPostgres } from '../engines/index.ts'
import { narrowAt } from '../engines/narrow.ts'
import { behindAProxy } from './behind-a-proxy.ts'
import { postgresError } from './postgres-error.ts'
import { blocked, byPort, openSession, type Session } from './session.ts'
import { ALL, attempt, merchantId, NOW, openShop } from './shop.ts'

const SECONDS = 6
const FULL = postgresError('53100', 'could not extend file: No space left on device')
const failed = (failure: string) => ({ status: 'error', failure }) as const

/** Outcomes whose answer was cut off, and that are found done as they are given again: what fails after that leaves them unknown. */
overPostgres(({ create }) => {
  const shop = inAShop(create)
  const distant = behindAProxy(() => shop.database.address)

  const started = async () => (await shop.storage.payments.start(attempt(), NOW)).payment

  test('one whose payment cannot be read then', async () => {
    const payment = await started()
    distant.proxy.cutAfter(/cut here/)
    distant.proxy.answerBefore(/^(?!.*(update|to_regclass)).*tillkit_payments/s, FULL)
    const refused = await distant.storage.payments
      .resolve(payment, failed('cut here'), NOW)
      .catch(error => error)
    expect(refused).toBeInstanceOf(CommitUnknownError)
    expect(distant.proxy.cuts()).toBe(1)
    expect(await shop.storage.payments.get(payment)).toEqual({ ...payment, ...failed('cut here') })
  })

  test('one that was given before, and whose payment cannot be read: nothing of it was done', async () => {
    const payment = await started()
    await shop.storage.payments.resolve(payment, failed('before'), NOW)
    distant.proxy.answerBefore(/^(?!.*(update|to_regclass)).*tillkit_payments/s, FULL)
    const refused = await distant.storage.payments.resolve(payment, failed('late'), NOW).catch(error => error)
    expect(refused).not.toBeInstanceOf(CommitUnknownError)
    expect(refused.message).toMatch(/^the disk of the database is full: /)
  })

  test('those that were given together, and are refused one by one', async () => {
    const payments = [await started(), await started(), await started(), await started()]
    const session = await openSession(shop.database.address)
    await session.run('begin')
    await session.run(`select * from ${session.table('payments')} where id <= 2 for update`)
    const give = (failure: string, n: number) =>
      distant.storage.payments.resolve(payments[n] as Payment, failed(failure), NOW).catch(error => error)
    // Two are under way at once.
    const alone = ['first', 'second'].map(give)
    const one = await blocked(shop.database.address)
    await blocked(shop.database.address, ({ id }) => id !== one.id)
    distant.proxy.cutAfter(/cut one.*cut two/s)
    distant.proxy.answerBefore(/^(?!.*cut one.*cut two).*cut (one|two)/s, FULL, 2)
    const together = [give('cut one', 2), give('cut two', 3)]
    // Both wait behind those by then.
    await sleep(100)
    await session.run('rollback')
    for (const { changed } of await Promise.all(alone)) expect(changed).toBe(true)
    for (const error of await Promise.all(together)) expect(error).toBeInstanceOf(CommitUnknownError)
    expect(distant.proxy.cuts()).toBe(1)
    expect(await shop.storage.payments.list(merchantId, {}, ALL)).toMatchObject({
      items: [{ failure: 'cut two' }, { failure: 'cut one' }, { failure: 'second' }, { failure: 'first' }],
    })
    await session.close()
  })

  test('those of several merchants that were given together, and are refused one by one', async () => {
    const { storage, database } = shop
    const ids = ['one', 'two', 'three']
    for (const id of ids) {
      await openShop(storage, id)
      await storage.payments.start(attempt({ merchantId: id }), NOW)
    }
    const { over, close } = narrowAt(byPort(database.address, distant.proxy.port))
    const session = await openSession(database.address)
    await session.run('begin')
    await session.run(`select * from ${session.table('ledgers')} where merchant_id = 'shop' for update`)
    const waiting = over.payments.start(attempt(), NOW)
    await blocked(database.address)
    distant.proxy.cutAfter(/cut one.*cut two.*cut three/s)
    distant.proxy.answerBefore(/^(?!.*cut one.*cut two).*cut (one|two|three)/s, FULL, 3)
    const together = ids.map(id =>
      over.payments.resolve({ merchantId: id, id: 1 }, failed(`cut ${id}`), NOW).catch(error => error),
    )
    await session.run('rollback')
    await waiting
    for (const error of await Promise.all(together)) expect(error).toBeInstanceOf(CommitUnknownError)
    expect(distant.proxy.cuts()).toBe(1)
    for (const id of ids) {
      expect(await storage.payments.get({ merchantId: id, id: 1 })).toMatchObject(failed(`cut ${id}`))
    }
    await session.close()
    await close()
  })

  describe('those that were given together, one of them long before the others', () => {
    let over: DatabaseStorage
    let session: Session
    let old: Promise<unknown>
    let young: Promise<PromiseSettledResult<Resolved | null>[]>

    beforeEach(async () => {
      const { address } = shop.database
      const limits = { lockTimeoutSeconds: 60, readTimeoutSeconds: SECONDS, writeTimeoutSeconds: SECONDS }
      over = storageAt(byPort(address, distant.proxy.port), {}, limits)
      const payments = [await started(), await started(), await started(), await started(), await started()]
      const give = (n: number) => over.payments.resolve(payments[n] as Payment, failed(`given ${n}`), NOW)
      session = await openSession(address)
      await session.run('begin')
      await session.run(`select * from ${session.table('payments')} where id <= 2 for update`)
      // Two are under way at once.
      const alone = [0, 1].map(give)
      const one = await blocked(address)
      await blocked(address, ({ id }) => id !== one.id)
      old = give(2).catch(error => error)
      await sleep((SECONDS / 2) * 1000)
      young = Promise.allSettled([3, 4].map(give))
      return async () => {
        await Promise.all(alone)
        await session.close()
        await over.close()
      }
    })

    test('and are found done: each is asked for in what is left of its own time', async () => {
      distant.proxy.cutAfter(/given 2.*given 3.*given 4/s)
      const foundDone = distant.proxy.keepAnswer(/given 2.*given 4/s)
      await session.run('rollback')
      const passOn = await foundDone
      await session.run('begin')
      await session.run(`lock table ${session.table('payments')} in access exclusive mode`)
      passOn()
      expect(await old).toBeInstanceOf(CommitUnknownError)
      await session.run('rollback')
      for (const [n, one] of (await young).entries()) {
        expect(one).toMatchObject({ value: { changed: false, payment: failed(`given ${n + 3}`) } })
      }
      expect(distant.proxy.cuts()).toBe(1)
    })

    test('and are not answered: the others are given again in what is left of their own time', async () => {
      distant.proxy.swallowBefore(/given 2.*given 3.*given 4/s)
      await session.run('rollback')
      expect(await old).toBeInstanceOf(CommitUnknownError)
      for (const [n, one] of (await young).entries()) {
        expect(one).toMatchObject({ value: { changed: true, payment: failed(`given ${n + 3}`) } })
      }
    })
  })
})
