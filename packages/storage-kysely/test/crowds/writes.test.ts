import type { Outcome } from '@tillkit/domain'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { overEveryServer } from '../engines/index.ts'
import type { Narrow } from '../engines/narrow.ts'
import { blocked, openSession } from '../faults/session.ts'
import { ALL, attempt, deliveredUnder, merchantId, NOW } from '../faults/shop.ts'
import { CrowdGround, completed, neighbours, UNTIL, upTo } from './ground.ts'

/** Writes that wait for each other, or for a connection, share what gets it: a statement on PostgreSQL, a transaction of a few on MariaDB. */
overEveryServer(engine => {
  let ground: CrowdGround
  let narrow: Narrow

  beforeEach(async () => {
    ground = await CrowdGround.open(engine)
    narrow = await ground.narrow()
  })

  afterEach(() => ground.close())

  /** What is sent for the one that has the connection, and for the crowd behind it. */
  const expectOneForAll = () => {
    expect(narrow.transactions()).toBe(2)
    expect(narrow.texts.length).toBeLessThan(20)
  }

  test('starts and outcomes of many merchants that wait for a connection', async () => {
    const { storage } = ground
    const go = await ground.takeConnection(narrow)
    const starting = neighbours.map(id =>
      ground.start(id, { userReference: id, attemptKey: 'key' }, narrow.over),
    )
    await go()
    const started = await Promise.all(starting)
    expectOneForAll()
    expect(started.map(({ created, payment }) => [created, payment.merchantId, payment.id])).toEqual(
      neighbours.map(id => [true, id, 1]),
    )
    const kept = await Promise.all(started.map(({ payment }) => storage.payments.get(payment)))
    expect(kept).toEqual(started.map(({ payment }) => payment))

    const outcomes = neighbours.map(
      (_, n): Outcome => (n % 3 ? completed : { status: 'error', failure: `no ${n} ‘𝄞’ "\\` }),
    )
    const goOn = await ground.takeConnection(narrow)
    const ending = started.map(({ payment }, n) =>
      narrow.over.payments.resolve(payment, outcomes[n] ?? completed, NOW),
    )
    await goOn()
    const ended = await Promise.all(ending)
    expectOneForAll()
    expect(ended.map(one => [one?.changed, one?.payment])).toEqual(
      started.map(({ payment }, n) => [true, { ...payment, ...outcomes[n] }]),
    )
    for (const [n, id] of neighbours.entries()) {
      expect(await storage.payments.get({ merchantId: id, id: 1 })).toEqual(ended[n]?.payment)
      const [delivery, ...more] = await ground.deliveriesOf(id)
      expect(more).toEqual([])
      expect(delivery).toMatchObject({ state: 'pending', attempts: 0, nextAttemptAt: NOW, createdAt: NOW })
    }
  })

  test('those of one merchant, each with its own trace, time and lease', async () => {
    await ground.hold('ledgers', merchantId)
    // Half a pair of surrogates is no JSON that a database takes: on PostgreSQL each goes by itself then.
    const half = ground.address.dialect === 'mysql' ? '\ud83d' : ''
    const starting = upTo(60).map(n =>
      ground.start(merchantId, { userReference: `${n} ${half}` }, narrow.over),
    )
    await blocked(ground.address)
    await ground.letGo()
    const started = await Promise.all(starting)
    expect(started.map(({ payment }) => payment.id).toSorted((a, b) => a - b)).toEqual(upTo(60))
    expect(narrow.transactions()).toBeLessThanOrEqual(3)

    narrow.texts.length = 0
    const trace = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
    // From the last on: of those that go together the first, which is the 58th, has neither a trace nor a lease.
    const ending = started.toSorted((a, b) => b.payment.id - a.payment.id)
    const ended = await Promise.all(
      ending.map(({ payment }) => {
        const [traced, leased] = [payment.id % 2 ? trace : null, payment.id % 3 ? null : UNTIL]
        return narrow.over.payments.resolve(payment, completed, NOW, traced, leased)
      }),
    )
    expect(narrow.transactions()).toBeLessThanOrEqual(3)
    for (const one of ended) {
      if (one === null) throw new Error('an outcome went missing')
      const { payment, claimed } = one
      if (payment.id % 3) expect(claimed).toBeUndefined()
      else {
        const traceparent = payment.id % 2 ? trace : null
        const lease = {
          merchantId,
          paymentId: payment.id,
          attempts: 0,
          fence: expect.any(Number),
          traceparent,
          payment,
        }
        expect(claimed).toMatchObject({ ...lease, webhookUrl: 'https://shop.example/hook' })
      }
    }
    for (const { paymentId, nextAttemptAt } of await ground.deliveriesOf(merchantId)) {
      expect(nextAttemptAt).toBe(paymentId % 3 ? NOW : UNTIL)
    }
    // What is the caller's own nobody else gets.
    const claimed = await ground.storage.deliveries.claim({ now: NOW, leaseUntil: UNTIL, limit: 100 })
    expect(claimed.map(({ paymentId }) => paymentId % 3 > 0)).toEqual(upTo(40).map(() => true))
    expect(claimed.filter(({ traceparent }) => traceparent !== null)).toHaveLength(20)
  })

  test('those of one merchant that are given different times are each dated by its own', async () => {
    await ground.hold('ledgers', merchantId)
    const times = upTo(30).map(n => (n > 15 ? UNTIL : NOW))
    const starting = times.map(time => narrow.over.payments.start(attempt(), time))
    await blocked(ground.address)
    await ground.letGo()
    const started = await Promise.all(starting)
    expect(started.map(({ payment }) => payment.date)).toEqual(times.map(time => time.replace('.000', '')))
    expect(narrow.transactions()).toBeLessThan(10)
    // Those of whose clock is behind are dated no earlier than the last of them, by themselves and together.
    const behind = await Promise.all(upTo(6).map(() => ground.start(merchantId, {}, narrow.over)))
    expect(behind.map(({ payment }) => payment.date)).toEqual(behind.map(() => '2026-11-20T09:31:00Z'))
  })

  test('nothing is written for a merchant without a webhook, or leased at a paused endpoint', async () => {
    const { storage, session } = ground
    const features = { tips: false, userReferences: false, deviceLists: false }
    const silent = ['mute', 'dumb']
    for (const id of silent) {
      await storage.merchants.create({ id, name: id, webhookUrl: null, features, createdAt: NOW })
    }
    await session.run(
      `insert into ${session.table('failing_endpoints')} values ('neighbour-1', '2026-11-01', '2026-11-10')`,
    )
    const started = await Promise.all([...silent, ...neighbours].map(id => ground.start(id)))
    const go = await ground.takeConnection(narrow)
    const ending = started.map(({ payment }) =>
      narrow.over.payments.resolve(payment, completed, null, null, UNTIL),
    )
    await go()
    const [mute, dumb, paused, ...others] = await Promise.all(ending)
    for (const one of [mute, dumb]) expect([one?.changed, one?.claimed]).toEqual([true, undefined])
    for (const id of silent) expect(await ground.deliveriesOf(id)).toEqual([])
    expect([paused?.changed, paused?.claimed]).toEqual([true, undefined])
    expect(await ground.deliveriesOf('neighbour-1')).toMatchObject([{ state: 'pending', attempts: 0 }])
    for (const one of others) expect(one?.claimed).toMatchObject({ attempts: 0, failingSince: null })
    const attempted = { at: NOW, status: 200, milliseconds: 1, error: null, answer: null }
    for (const one of others) {
      if (!one?.claimed) throw new Error('nothing was handed over')
      const { merchantId, paymentId, fence } = one.claimed
      const result = { merchantId, paymentId, fence, state: 'delivered' as const, nextAttemptAt: null }
      expect(await storage.deliveries.record({ ...result, attempt: attempted })).toBe(true)
    }

    // Of those that had theirs no other is taken, whether or not a delivery would be there twice.
    for (const ended of [started.slice(0, silent.length), started]) {
      const goOn = await ground.takeConnection(narrow)
      const again = ended.map(({ payment }) =>
        narrow.over.payments.resolve(payment, { status: 'error', failure: 'late' }, NOW),
      )
      await goOn()
      for (const one of await Promise.all(again)) {
        expect([one?.changed, one?.payment.status, one?.payment.failure]).toEqual([false, 'completed', null])
      }
    }
  })

  test('the database’s time is put where none is given, and no date is before the last', async () => {
    const { storage, session } = ground
    await session.run(
      `update ${session.table('ledgers')} set last_date = '2099-01-01' where merchant_id = 'neighbour-2'`,
    )
    const go = await ground.takeConnection(narrow)
    const starting = neighbours.map((id, n) =>
      narrow.over.payments.start(attempt({ merchantId: id }), n % 2 ? null : NOW),
    )
    await go()
    const now = Date.parse((await storage.payments.start(attempt(), null)).payment.date)
    for (const [n, { payment }] of (await Promise.all(starting)).entries()) {
      if (n === 1) expect(payment.date).toBe('2099-01-01T00:00:00Z')
      else if (n % 2 === 0) expect(payment.date).toBe('2026-11-20T09:30:00Z')
      else expect(Math.abs(Date.parse(payment.date) - now)).toBeLessThan(60_000)
      expect(await storage.payments.get(payment)).toEqual(payment)
    }
  })

  test('whose merchant’s lock another has, or whose payment’s row, waits for that alone', async () => {
    const pending = await Promise.all(neighbours.map(id => ground.start(id)))
    const other = await openSession(ground.address)
    const go = await ground.takeConnection(narrow)
    await ground.hold('ledgers', 'neighbour-7', other)
    const starting = neighbours.map(id => ground.start(id, {}, narrow.over))
    await go()
    const free = starting.filter((_, n) => neighbours[n] !== 'neighbour-7')
    expect((await Promise.all(free)).map(({ payment }) => payment.id)).toEqual(free.map(() => 2))
    await ground.letGo(other)
    expect((await starting[6])?.payment.id).toBe(2)

    const goOn = await ground.takeConnection(narrow)
    await ground.hold('payments', 'neighbour-7', other)
    const ending = pending.map(({ payment }) => narrow.over.payments.resolve(payment, completed, NOW))
    await goOn()
    const ended = await Promise.all(ending.filter((_, n) => neighbours[n] !== 'neighbour-7'))
    expect(ended.map(one => one?.changed)).toEqual(ended.map(() => true))
    await ground.letGo(other)
    expect((await ending[6])?.changed).toBe(true)
    await other.close()
  })

  test('who is suspended, or whose scan code is, and a key that is used before, are looked at alone', async () => {
    const { storage } = ground
    for (const id of ['neighbour-7', 'neighbour-8']) {
      await storage.scanCodes.add({ code: `till-${id}`, merchantId: id, reference: null, createdAt: NOW })
    }
    await ground.start('neighbour-10', { attemptKey: 'another' })
    const go = await ground.takeConnection(narrow)
    const starting = neighbours.map(id =>
      ground.start(id, { scanCode: `till-${id}`, attemptKey: 'key' }, narrow.over),
    )
    const settled = Promise.allSettled([...starting, ground.start('nobody', {}, narrow.over)])
    await storage.scanCodes.suspend('till-neighbour-7', NOW)
    await storage.merchants.suspend('neighbour-11', NOW)
    const first = await ground.start('neighbour-9', { attemptKey: 'key' })
    await go()
    for (const [n, one] of (await settled).entries()) {
      const id = neighbours[n]
      if (id === 'neighbour-7' || id === 'neighbour-11') {
        expect(one).toMatchObject({ reason: { message: expect.stringMatching(/suspended/) } })
      } else if (id === 'neighbour-9') {
        expect(one).toEqual({ status: 'fulfilled', value: { payment: first.payment, created: false } })
      } else if (id === undefined) {
        expect(one).toMatchObject({ reason: { message: expect.stringMatching(/nobody is unknown/) } })
      } else {
        const number = id === 'neighbour-10' ? 2 : 1
        expect(one).toMatchObject({ value: { created: true, payment: { id: number } } })
      }
    }
    expect(narrow.transactions()).toBeLessThan(neighbours.length)
  })

  test('two that are looked at alone take none of the others with them', async () => {
    const { storage } = ground
    const code = { code: 'till-7', merchantId: 'neighbour-7', reference: null, createdAt: NOW }
    await storage.scanCodes.add(code)
    const go = await ground.takeConnection(narrow)
    const starting = neighbours.map(id =>
      ground.start(id, { scanCode: `till-${id.slice(10)}`, attemptKey: 'key' }, narrow.over),
    )
    starting[6]?.catch(() => {})
    await storage.scanCodes.suspend('till-7', NOW)
    const first = await ground.start('neighbour-9', { attemptKey: 'key' })
    await go()
    await expect(starting[6]).rejects.toThrow(/suspended/)
    expect(await starting[8]).toEqual({ payment: first.payment, created: false })
    const others = starting.filter((_, n) => n !== 6 && n !== 8)
    expect((await Promise.all(others)).every(({ created }) => created)).toBe(true)
    expect(narrow.transactions()).toBeLessThan(neighbours.length / 2)
  })

  test('one that cannot be written fails alone, and another’s outcome stays', async () => {
    const { storage } = ground
    const started = await Promise.all(neighbours.map(id => ground.start(id)))
    const [fifth] = started.slice(4)
    if (!fifth) throw new Error('nothing was started')
    await storage.payments.resolve(fifth.payment, { status: 'error', failure: 'declined' }, NOW)
    const odd = new Map([
      [3, { totalAmount: 2 ** 70 }],
      [6, { extra: { name: 'NUL \0' } }],
    ])
    // MariaDB's JSON may hold a NUL.
    const refused = ground.address.dialect === 'postgres' ? [3, 6] : [3]
    const go = await ground.takeConnection(narrow)
    const starting = neighbours.map((id, n) => ground.start(id, odd.get(n), narrow.over))
    const written = Promise.allSettled(starting)
    await go()
    expect((await written).flatMap(({ status }, n) => (status === 'rejected' ? [n] : []))).toEqual(refused)
    for (const [n, id] of neighbours.entries()) {
      expect((await storage.payments.list(id, {}, ALL)).total).toBe(refused.includes(n) ? 1 : 2)
    }

    const goOn = await ground.takeConnection(narrow)
    const ending = started.map(({ payment }) =>
      narrow.over.payments.resolve(payment, completed, NOW, null, UNTIL),
    )
    const gone = narrow.over.payments.resolve({ merchantId, id: 99 }, completed, NOW)
    await goOn()
    expect(await gone).toBeNull()
    for (const [n, one] of (await Promise.all(ending)).entries()) {
      expect([one?.changed, one?.payment.status]).toEqual(n === 4 ? [false, 'error'] : [true, 'completed'])
      // Each lease is that of its own delivery.
      if (one?.claimed) expect(await storage.deliveries.record(deliveredUnder(one.claimed))).toBe(true)
      else expect(n).toBe(4)
    }
    for (const id of neighbours) expect(await ground.deliveriesOf(id)).toHaveLength(1)
  })

  test('a strict reference is free again after an error and taken after a success', async () => {
    const { session } = ground
    const strict = { strict: true, merchantReference: 'order', requiredAmount: 100 }
    const pending = await Promise.all(['neighbour-1', 'neighbour-2'].map(id => ground.start(id, strict)))
    const go = await ground.takeConnection(narrow)
    const ending = pending.map(({ payment }) => {
      const isPaid = payment.merchantId === 'neighbour-1'
      return narrow.over.payments.resolve(
        payment,
        isPaid ? completed : { status: 'error', failure: 'declined' },
        NOW,
      )
    })
    await go()
    await Promise.all(ending)
    const guarded = await session.run(
      `select merchant_id, guarded_reference from ${session.table('payments')}
      where guarded_reference is not null`,
    )
    expect(guarded).toEqual([{ merchant_id: 'neighbour-1', guarded_reference: 'order' }])
    expect((await ground.start('neighbour-1', strict)).payment.failure).toBe('reference_taken')
    expect((await ground.start('neighbour-2', strict)).payment.status).toBe('pending')
  })
})
