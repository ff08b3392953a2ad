import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CommitUnknownError, type DatabaseStorage } from '../../src/index.ts'
import { storageAt } from '../engines/address.ts'
import { inAShop } from '../engines/in-a-shop.ts'
import { overEveryServer } from '../engines/index.ts'
import { behindAProxy } from './behind-a-proxy.ts'
import { mysqlError } from './mysql-error.ts'
import { postgresError } from './postgres-error.ts'
import { blocked, openSession, type Session, terminate } from './session.ts'
import { ALL, attempt, merchantId, NOW, startedCompleted } from './shop.ts'

const completed = { status: 'completed' } as const

overEveryServer(({ create }) => {
  const shop = inAShop(create)
  let session: Session

  beforeEach(async () => {
    session = await openSession(shop.database.address)
  })

  afterEach(async () => {
    await session.close()
  })

  const lockLedger = async () => {
    await session.run('begin')
    await session.run(`select * from ${session.table('ledgers')} where merchant_id = 'shop' for update`)
  }
  const ids = async () => (await shop.storage.payments.list(merchantId, {}, ALL)).items.map(({ id }) => id)
  const deliveries = async () => (await shop.storage.deliveries.list(merchantId, undefined, ALL)).total

  test('a deadlock: what lost is run again', async () => {
    const paid = await startedCompleted(shop.storage, 30)
    const payments = session.table('payments')
    if (shop.database.address.dialect === 'postgres') await session.run(`set deadlock_timeout = '20s'`)
    await session.run('begin')
    // So much to undo that the engine lets the other one lose.
    await session.run(`update ${payments} set failure = 'x' where merchant_id = 'shop' and id > 1`)
    const settled = shop.storage.payments.settle(merchantId, 'BANK-1', paid)
    await blocked(shop.database.address)
    await session.run(`update ${payments} set failure = 'x' where merchant_id = 'shop' and id = 1`)
    await session.run('commit')
    await settled
    const { items } = await shop.storage.payments.list(merchantId, {}, ALL)
    expect(new Set(items.map(payment => `${payment.statementReference} ${payment.failure}`))).toEqual(
      new Set(['BANK-1 x']),
    )
  })

  test.each([false, true])(
    'a connection that is ended before it commits: run again (strict: %s)',
    async strict => {
      await lockLedger()
      const started = shop.storage.payments.start(attempt({ strict, merchantReference: 'order-1' }), NOW)
      const answer = started.then(
        ({ payment }) => payment.id,
        error => error,
      )
      const waiting = await blocked(shop.database.address)
      await terminate(shop.database.address, waiting.id)
      await session.run('commit')
      // A single statement that was cut off may have been committed, for all that anyone here knows.
      const composed = shop.database.address.dialect === 'postgres' && !strict
      if (composed) expect(await answer).toBeInstanceOf(CommitUnknownError)
      else expect(await answer).toBe(1)
      expect(await ids()).toEqual(composed ? [] : [1])
      expect((await shop.storage.payments.start(attempt(), NOW)).payment.id).toBe(composed ? 1 : 2)
    },
  )

  describe('a connection cut', () => {
    const distant = behindAProxy(() => shop.database.address)

    test.each<[string, (storage: DatabaseStorage) => unknown]>([
      [
        'storage.transaction',
        storage => storage.transaction(inside => inside.payments.start(attempt(), NOW)),
      ],
      ['migrationsLeft', storage => storage.migrationsLeft()],
      [
        'inspect',
        storage => storage.inspect?.({ now: NOW, webhookKeyPrefixes: [], longTransactionSeconds: 60 }),
      ],
    ])('as it is made, for %s: another one is', async (_, call) => {
      distant.proxy.cutBefore(/^/)
      await call(distant.storage)
      expect(distant.proxy.cuts()).toBe(1)
    })

    test('before anything was done: run again', async () => {
      distant.proxy.cutBefore(/ledgers/)
      const { payment } = await distant.storage.payments.start(
        attempt({ strict: true, merchantReference: 'order-1' }),
        NOW,
      )
      expect([payment.id, distant.proxy.cuts()]).toEqual([1, 1])
      expect(await ids()).toEqual([1])
    })

    test.each(['cutBefore', 'cutAfter'] as const)(
      '%s COMMIT is answered: an error that says so, and one payment or none',
      async cut => {
        distant.proxy[cut](/\bcommit\b/i)
        const strict = attempt({ strict: true, merchantReference: 'order-1', attemptKey: 'a' })
        const refused = await distant.storage.payments.start(strict, NOW).catch(error => error)
        expect(refused).toBeInstanceOf(CommitUnknownError)
        expect(distant.proxy.cuts()).toBe(1)
        // The server may still be at it.
        while (cut === 'cutAfter' && (await ids()).length === 0) await sleep(5)
        const again = await distant.storage.payments.start(strict, NOW)
        expect([again.payment.id, again.created]).toEqual([1, cut === 'cutBefore'])
        expect(await ids()).toEqual([1])
      },
    )

    test.each(['cutBefore', 'cutAfter'] as const)(
      '%s a start is answered: one payment or none',
      async cut => {
        distant.proxy[cut](shop.database.address.dialect === 'postgres' ? /cut here/ : /\bcommit\b/i)
        const refused = await distant.storage.payments
          .start(attempt({ merchantReference: 'cut here' }), NOW)
          .catch(error => error)
        expect(refused).toBeInstanceOf(CommitUnknownError)
        while (cut === 'cutAfter' && (await ids()).length === 0) await sleep(5)
        const next = await distant.storage.payments.start(attempt(), NOW)
        expect(next.payment.id).toBe(cut === 'cutBefore' ? 1 : 2)
      },
    )

    test.each(['cutBefore', 'cutAfter'] as const)(
      '%s a key is revoked: it is, and that is told',
      async cut => {
        const key = { id: 'key-1', merchantId, label: null, createdAt: NOW, expiresAt: null }
        await shop.storage.apiKeys.add(key, '0'.repeat(64))
        distant.proxy[cut](/delete from/)
        expect(await distant.storage.apiKeys.revoke(merchantId, key.id)).toBe(true)
        expect(distant.proxy.cuts()).toBe(1)
        expect(await shop.storage.apiKeys.list(merchantId)).toEqual([])
        expect(await distant.storage.apiKeys.revoke(merchantId, key.id)).toBe(false)
      },
    )

    test.each(['cutBefore', 'cutAfter'] as const)(
      '%s the commit of storage.transaction is answered: an error that says so',
      async cut => {
        distant.proxy[cut](/\bcommit\b/i)
        const refused = await distant.storage
          .transaction(inside => inside.payments.start(attempt(), NOW))
          .catch(error => error)
        expect(refused).toBeInstanceOf(CommitUnknownError)
        while (cut === 'cutAfter' && (await ids()).length === 0) await sleep(5)
        expect(await ids()).toEqual(cut === 'cutBefore' ? [] : [1])
      },
    )

    test.each(['cutBefore', 'cutAfter'] as const)(
      '%s a cash up without a key is answered: an error that says so, and one cash up or none',
      async cut => {
        distant.proxy[cut](/\bcommit\b/i)
        const cashUp = { reference: 'a'.repeat(32), idempotencyKey: null, now: NOW }
        const refused = await distant.storage.cashUps.create(merchantId, cashUp).catch(error => error)
        expect(refused).toBeInstanceOf(CommitUnknownError)
        expect(distant.proxy.cuts()).toBe(1)
        const total = async () => (await shop.storage.cashUps.list(merchantId, ALL)).total
        while (cut === 'cutAfter' && (await total()) === 0) await sleep(5)
        await distant.storage.cashUps.create(merchantId, { ...cashUp, reference: 'b'.repeat(32) })
        expect(await total()).toBe(cut === 'cutBefore' ? 1 : 2)
      },
    )

    test.each(['cutBefore', 'cutAfter'] as const)(
      '%s an outcome is answered: run again, one outcome and one delivery',
      async cut => {
        const { payment } = await shop.storage.payments.start(attempt(), NOW)
        distant.proxy[cut](shop.database.address.dialect === 'postgres' ? /cut here/ : /\bcommit\b/i)
        const outcome = { status: 'error', failure: 'cut here' } as const
        const resolved = await distant.storage.payments.resolve(payment, outcome, NOW)
        expect(distant.proxy.cuts()).toBe(1)
        expect(resolved?.payment).toEqual({ ...payment, ...outcome })
        expect(await shop.storage.payments.get(payment)).toEqual(resolved?.payment)
        expect(await deliveries()).toBe(1)
      },
    )

    test('after an outcome was written, which is then refused when it is written again: unknown, and there', async () => {
      const { payment } = await shop.storage.payments.start(attempt(), NOW)
      const composed = shop.database.address.dialect === 'postgres'
      distant.proxy.cutAfter(composed ? /cut here/ : /\bcommit\b/i)
      const full = composed
        ? postgresError('53100', 'could not extend file: No space left on device')
        : mysqlError(1021, 'HY000', 'Disk full')
      distant.proxy.answerBefore(composed ? /cut here./s : /\Wcommit\b/i, full)
      const outcome = { status: 'error', failure: 'cut here' } as const
      const refused = await distant.storage.payments.resolve(payment, outcome, NOW).catch(error => error)
      expect(refused).toBeInstanceOf(CommitUnknownError)
      expect(distant.proxy.cuts()).toBe(1)
      expect(await shop.storage.payments.get(payment)).toEqual({ ...payment, ...outcome })
    })

    test.each(['cutBefore', 'cutAfter'] as const)(
      '%s the result of an attempt is answered: written again, it counts once',
      async cut => {
        await startedCompleted(shop.storage, 1)
        const leaseUntil = '2026-11-20T09:31:00.000Z'
        const [held] = await shop.storage.deliveries.claim({ now: NOW, leaseUntil, limit: 1 })
        if (!held) throw new Error('nothing was claimed')
        const result = {
          ...{ ...held, state: 'pending' as const, nextAttemptAt: leaseUntil },
          attempt: { at: NOW, status: 500, milliseconds: 5, error: 'answered 500', answer: null },
        }
        distant.proxy[cut](/\bcommit\b/i)
        const refused = await distant.storage.deliveries.record(result).catch(error => error)
        expect(refused).toBeInstanceOf(CommitUnknownError)
        const attempts = async () =>
          (await shop.storage.deliveries.attempts(merchantId, [held.paymentId])).length
        while (cut === 'cutAfter' && (await attempts()) === 0) await sleep(5)
        expect(await distant.storage.deliveries.record(result)).toBe(cut === 'cutBefore')
        expect(await attempts()).toBe(1)
        expect((await shop.storage.deliveries.list(merchantId, undefined, ALL)).items[0]?.attempts).toBe(1)
      },
    )

    test('while reading: read again', async () => {
      const [id = 0] = await startedCompleted(shop.storage, 1)
      await distant.storage.payments.get({ merchantId, id })
      distant.proxy.cutAfter(shop.database.address.dialect === 'postgres' ? /tillkit_/ : /shop/)
      expect((await distant.storage.payments.get({ merchantId, id }))?.status).toBe('completed')
      expect(distant.proxy.cuts()).toBe(1)
    })

    test('a settlement and a cash up with a key: run again, once each', async () => {
      const paid = await startedCompleted(shop.storage, 3)
      distant.proxy.cutAfter(/\bcommit\b/i)
      await distant.storage.payments.settle(merchantId, 'BANK-1', paid)
      distant.proxy.cutAfter(/\bcommit\b/i)
      const cashUp = { reference: 'a'.repeat(32), idempotencyKey: 'evening', now: NOW }
      const made = await distant.storage.cashUps.create(merchantId, cashUp)
      expect(distant.proxy.cuts()).toBe(2)
      expect(await shop.storage.cashUps.list(merchantId, ALL)).toEqual({ items: [made], total: 1 })
    })
  })

  test('two processes that start a payment of one key at once: the one that is late finds it', async () => {
    const other = storageAt(shop.database.address)
    const keyed = attempt({ attemptKey: 'once' })
    await lockLedger()
    const starting = [shop.storage.payments.start(keyed, NOW)]
    const first = await blocked(shop.database.address)
    starting.push(other.payments.start(keyed, NOW))
    await blocked(shop.database.address, ({ id }) => id !== first.id)
    await session.run('rollback')
    const [one, two] = await Promise.all(starting)
    expect(two?.payment).toEqual(one?.payment)
    expect([one?.created, two?.created].toSorted()).toEqual([false, true])
    expect(await ids()).toEqual([1])
    await other.close()
  })

  test('many at once on one merchant and its neighbours: none is lost', async () => {
    await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        const { payment } = await shop.storage.payments.start(
          attempt({ strict: n % 2 === 0, merchantReference: `${n % 7}` }),
          NOW,
        )
        await shop.storage.payments.resolve(
          payment,
          n % 3 ? completed : { status: 'error', failure: null },
          NOW,
        )
        const claimed = await shop.storage.deliveries.claim({
          now: NOW,
          leaseUntil: '2026-11-20T09:31:00.000Z',
          limit: 5,
        })
        for (const held of claimed) {
          const result = {
            state: 'delivered',
            nextAttemptAt: null,
            attempt: { at: NOW, status: 200, milliseconds: 5, error: null, answer: null },
          } as const
          expect(await shop.storage.deliveries.record({ ...held, ...result })).toBe(true)
        }
      }),
    )
    expect(await ids()).toEqual(Array.from({ length: 60 }, (_, n) => 60 - n))
    expect(await deliveries()).toBe(60)
  })
})
