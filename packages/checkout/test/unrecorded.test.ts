import { type ChargeOutcome, createCharger, type KnownOutcome } from '@tillkit/checkout'
import type { HttpRequest } from '@tillkit/http'
import { CommitUnknownError, DatabaseError } from '@tillkit/storage'
import { TillError } from '@tillkit/till'
import { describe, expect, test, vi } from 'vitest'
import { bookkeeper, openShop, send, stateOf } from './shop.ts'

/** A shop whose database can be out of reach for outcomes. */
async function shopOnABadDay(options: Parameters<typeof openShop>[0] = {}) {
  const logger = { warn: vi.fn(), error: vi.fn() }
  const handed = vi.fn()
  const shop = await openShop({
    logger,
    onUnrecorded: handed,
    waitSeconds: 0.05,
    recordSeconds: 0.3,
    ...options,
  })
  const real = { ...shop.till.payments }
  const database = { away: true, error: () => new DatabaseError('cannot reach the database') as unknown }
  vi.spyOn(shop.till.payments, 'complete').mockImplementation(async key => {
    if (database.away) throw database.error()
    return real.complete(key)
  })
  vi.spyOn(shop.till.payments, 'fail').mockImplementation(async (key, options) => {
    if (database.away) throw database.error()
    return real.fail(key, options)
  })
  return { ...shop, logger, handed, database }
}

const soon = { timeout: 120_000, interval: 20 }

describe('an outcome that is known while the database is away', () => {
  test.each<ChargeOutcome>([{ status: 'completed' }, { status: 'error', failure: 'card_declined' }])(
    '%j is handed to the host, kept, and recorded when the database is back',
    async outcome => {
      const { customer, processor, till, handed, logger, database, checkout } = await shopOnABadDay()
      processor.answer = () => outcome
      expect(stateOf((await customer.pay('/shelf?amount=1850')).page)).toBe('pending')
      await vi.waitFor(() => expect(handed).toHaveBeenCalled(), soon)
      expect(handed.mock.calls).toEqual([[expect.objectContaining({ merchantId: 'books', id: 1 }), outcome]])
      expect(logger.error.mock.calls[0]).toMatchObject([
        { err: expect.any(DatabaseError), merchantId: 'books', id: 1, outcome: outcome.status },
        'an outcome was not recorded',
      ])
      database.away = false
      await vi.waitFor(async () => expect(await till.payments.get('books', 1)).toMatchObject(outcome), soon)
      await checkout.close()
      expect(handed).toHaveBeenCalledOnce()
      expect(processor.charged).toHaveLength(1)
    },
  )

  test.each<KnownOutcome>([{ status: 'completed' }, { status: 'error', failure: 'card_declined' }])(
    '%j is handed to the host once, however long it takes and whoever is asked meanwhile',
    async outcome => {
      const processor = { charge: () => outcome, lookup: vi.fn(() => outcome) }
      const { customer, handed, logger, checkout } = await shopOnABadDay({ processor, timeoutSeconds: 0.1 })
      const { target } = await customer.pay('/shelf?amount=1850')
      await vi.waitFor(() => expect(handed).toHaveBeenCalled(), soon)
      // It is not the processor's answer that is late.
      expect([logger.warn.mock.calls, processor.lookup.mock.calls]).toEqual([[], []])
      for (let look = 0; look < 3; look++) await customer.open(target)
      await checkout.close()
      expect(handed).toHaveBeenCalledOnce()
    },
  )

  test('many of them: all are recorded, and one that never can be holds up none', async () => {
    const { customer, till, handed, database, checkout } = await shopOnABadDay()
    for (let n = 0; n < 30; n++) await customer.pay('/shelf?amount=1850')
    await vi.waitFor(() => expect(handed).toHaveBeenCalledTimes(30), soon)
    const poisoned = vi.mocked(till.payments.complete).getMockImplementation()
    vi.mocked(till.payments.complete).mockImplementation(async key => {
      if (key.id === 1) throw new DatabaseError('the lock of merchant books is held')
      return poisoned?.(key) as never
    })
    database.away = false
    const completed = { filter: { status: ['completed' as const] } }
    await vi.waitFor(async () => expect((await till.payments.list('books', completed)).total).toBe(29), {
      timeout: 150_000,
    })
    await checkout.close()
    expect(handed).toHaveBeenCalledTimes(30)
  })

  test('a database that never answers: the host is handed it in time', async () => {
    const { customer, till, handed, checkout } = await shopOnABadDay()
    vi.mocked(till.payments.complete).mockImplementation(() => new Promise(() => {}))
    await customer.pay('/shelf?amount=1850')
    await vi.waitFor(() => expect(handed).toHaveBeenCalledOnce(), soon)
    await checkout.close()
    expect(handed).toHaveBeenCalledOnce()
  })

  test('a commit that nobody knows of is said again', async () => {
    const { customer, till, handed, database } = await shopOnABadDay()
    database.error = () => {
      database.away = false
      return new CommitUnknownError(new Error('cut'))
    }
    await customer.pay('/shelf?amount=1850')
    await vi.waitFor(
      async () => expect((await till.payments.get('books', 1))?.status).toBe('completed'),
      soon,
    )
    expect(till.payments.complete).toHaveBeenCalledTimes(2)
    expect(handed).not.toHaveBeenCalled()
  })

  test('close waits for a stated time, then the host and the log have what is left', async () => {
    const { customer, processor, handed, logger, checkout } = await shopOnABadDay()
    processor.answer = async () => ({ status: 'completed' })
    await customer.pay('/shelf?amount=1850')
    await checkout.close()
    expect(handed).toHaveBeenCalledOnce()
    expect(logger.error.mock.calls.map(([, message]) => message)).toEqual([
      'an outcome was not recorded',
      'an outcome was still unrecorded at the end',
    ])
  })

  test('of more than ten thousand each goes to the host at once; those that are kept are recorded', async () => {
    const { till, database, handed, logger, books, processor } = await shopOnABadDay()
    const charger = createCharger(till, processor, {
      logger,
      onUnrecorded: handed,
      recordSeconds: 600,
      waitSeconds: 0.01,
    })
    const pay = (attempt: number) =>
      charger.pay(
        { scanCode: 'shelf', totalAmount: 1850, attemptKey: `attempt-${attempt}` },
        {
          merchant: books,
          fields: {},
          request: { method: 'POST' } as HttpRequest,
          returnUrl: 'https://pay.example.com/qr/shelf',
        },
      )
    for (let n = 0; n < 10_000; n++) void pay(n)
    await vi.waitFor(() => expect(processor.charged).toHaveLength(10_000), soon)
    expect(handed).not.toHaveBeenCalled()
    await pay(10_000)
    await vi.waitFor(() => expect(handed).toHaveBeenCalledOnce(), soon)
    expect(handed.mock.calls[0]?.[0]).toMatchObject({ id: 10_001 })
    expect(logger.error.mock.calls.at(-1)?.[1]).toBe('an outcome is not kept for another try')
    database.away = false
    await charger.close()
    const { total } = await till.payments.list('books', { filter: { status: ['completed'] } })
    expect(total).toBe(10_000)
  })

  test('close is over as soon as the database is back', async () => {
    const { customer, till, database, checkout } = await shopOnABadDay({ recordSeconds: 60 })
    await customer.pay('/shelf?amount=1850')
    const closed = checkout.close()
    database.away = false
    await closed
    expect(await till.payments.get('books', 1)).toMatchObject({ status: 'completed' })
  })
})

describe('an outcome that another has forestalled', () => {
  test('goes to the host and the log, and nobody is asked to pay again: the money moved', async () => {
    const { customer, processor, till, handed, logger, database } = await shopOnABadDay()
    database.away = false
    processor.answer = async payment => {
      await till.payments.fail(payment, { failure: 'stale' })
      return { status: 'completed' }
    }
    const { page } = await customer.pay('/shelf?amount=1850')
    expect(stateOf(page)).toBe('error')
    // The processor cannot be asked, and this process was told.
    expect(page).toContain('Do not pay again')
    expect(page).not.toContain('Try again')
    expect(handed.mock.calls).toMatchObject([[{ merchantId: 'books', id: 1 }, { status: 'completed' }]])
    expect(logger.error.mock.calls).toMatchObject([
      [{ err: expect.any(TillError), id: 1 }, expect.any(String)],
    ])
  })
})

test('one that another has forestalled goes to the host once, though the processor says it again', async () => {
  const paid = { status: 'completed' } as const
  const processor = { ...bookkeeper(), lookup: () => paid }
  const { customer, till, handed, database } = await shopOnABadDay({ processor })
  database.away = false
  processor.charge = async payment => {
    await till.payments.fail(payment, { failure: 'stale' })
    return paid
  }
  const { target } = await customer.pay('/shelf?amount=1850')
  for (let look = 0; look < 3; look++)
    expect((await customer.open(target)).page).toContain('Do not pay again')
  expect(handed).toHaveBeenCalledOnce()
})

describe('a payment that was given up while it is being charged', () => {
  test('nobody is asked to pay again until the processor has answered', async () => {
    const { customer, processor, till, database } = await shopOnABadDay()
    database.away = false
    const { promise, resolve } = Promise.withResolvers<ChargeOutcome>()
    processor.answer = () => promise
    const { target } = await customer.pay('/shelf?amount=1850')
    await till.payments.fail({ merchantId: 'books', id: 1 }, { failure: 'stale' })
    const meanwhile = await customer.open(target)
    expect([stateOf(meanwhile.page), meanwhile.page]).toEqual([
      'pending',
      expect.not.stringContaining('Try again'),
    ])
    resolve({ status: 'error', failure: 'card_declined' })
    await vi.waitFor(async () => expect(stateOf((await customer.open(target)).page)).toBe('error'), soon)
    expect((await customer.open(target)).page).toContain('Try again')
    expect(await till.payments.get('books', 1)).toMatchObject({ failure: 'stale' })
  })

  test('nor in another process, where the processor says that it is at it', async () => {
    const { customer, processor, till, another } = await openShop({ waitSeconds: 0.05 })
    processor.answer = () => new Promise(() => {})
    const { target } = await customer.pay('/shelf?amount=1850')
    await till.payments.fail({ merchantId: 'books', id: 1 }, { failure: 'stale' })
    let answer: ChargeOutcome = { status: 'pending' }
    const lookup = vi.fn(async () => answer)
    const elsewhere = another({ waitSeconds: 10, processor: { charge: processor.charge, lookup } })
    const look = () => send(elsewhere.handler, target, { cookie: customer.cookie() })
    expect(stateOf(String((await look()).body))).toBe('pending')
    answer = { status: 'error', failure: 'card_declined' }
    await vi.waitFor(async () => expect(stateOf(String((await look()).body))).toBe('error'), soon)
    expect(lookup.mock.calls.length).toBeGreaterThan(1)
  })
})

describe('an answer of any shape that says how it ended is known', () => {
  const trap = new Proxy({}, { get: (_, name) => (name === 'status' ? 'completed' : undefined) })
  class Answer {
    get status() {
      return 'error'
    }
    get failure(): string {
      throw new Error('no reason')
    }
  }
  test.each<[string, unknown, string]>([
    ['with a failure of a success', { status: 'completed', failure: 7 }, 'completed'],
    ['frozen', Object.freeze({ status: 'completed' }), 'completed'],
    ['a proxy', trap, 'completed'],
    ['in capitals', { status: 'COMPLETED' }, 'completed'],
    ['with space around', { status: ' error\n' }, 'error'],
    ['a getter that throws', new Answer(), 'error'],
    ['without a prototype', Object.assign(Object.create(null), { status: 'error' }), 'error'],
    ['a failure of 300 characters', { status: 'error', failure: 'x'.repeat(300) }, 'error'],
    ['a failure with NUL', { status: 'error', failure: 'a\0b' }, 'error'],
    ['half a surrogate pair', { status: 'error', failure: 'a\ud800' }, 'error'],
    ['a number', { status: 'error', failure: 51 }, 'error'],
    ['an object', { status: 'error', failure: { code: 51 } }, 'error'],
    ['a failure that throws when it is read', { status: 'error', failure: trap }, 'error'],
    ['a failure that is a symbol', { status: 'error', failure: Symbol('51') }, 'error'],
    ['an empty failure', { status: 'error', failure: '' }, 'error'],
  ])('%s', async (_, answer, status) => {
    const { customer, processor, till } = await openShop()
    processor.answer = () => answer as ChargeOutcome
    expect(stateOf((await customer.pay('/shelf?amount=1850')).page)).toBe(status)
    expect(await till.payments.get('books', 1)).toMatchObject({ status })
  })

  test.each<[string, unknown]>([
    ['nothing', null],
    ['true', true],
    ['a status of its own', { status: 'ok' }],
    ['a number', { status: 1 }],
    [
      'a status that throws',
      {
        get status() {
          throw new Error('no')
        },
      },
    ],
  ])('%s is unknown', async (_, answer) => {
    const { customer, processor, till } = await openShop({ logger: false })
    processor.answer = () => answer as ChargeOutcome
    expect(stateOf((await customer.pay('/shelf?amount=1850')).page)).toBe('pending')
    expect(await till.payments.get('books', 1)).toMatchObject({ status: 'pending' })
  })
})

describe('what a host hands in does no harm', () => {
  const boom = () => {
    throw new Error('the host’s own')
  }
  test.each([
    ['throws', boom],
    ['rejects', () => Promise.reject(new Error('the host’s own'))],
    ['never answers', () => new Promise<void>(() => {})],
  ])('an onUnrecorded that %s', async (_, onUnrecorded) => {
    const { customer, till, database, logger, checkout } = await shopOnABadDay({ onUnrecorded })
    await customer.pay('/shelf?amount=1850')
    await vi.waitFor(() => expect(logger.error).toHaveBeenCalled(), soon)
    database.away = false
    await checkout.close()
    expect(await till.payments.get('books', 1)).toMatchObject({ status: 'completed' })
  })

  test('an onUnrecorded that scribbles on what it is handed', async () => {
    const { customer, till, handed, database, checkout } = await shopOnABadDay()
    handed.mockImplementation((payment, outcome) => {
      Object.assign(payment, { id: 99 })
      Object.assign(outcome, { status: 'error' })
    })
    await customer.pay('/shelf?amount=1850')
    await vi.waitFor(() => expect(handed).toHaveBeenCalled(), soon)
    database.away = false
    await checkout.close()
    expect(await till.payments.get('books', 1)).toMatchObject({ status: 'completed' })
  })

  test('a logger that throws', async () => {
    const logger = { warn: boom, error: boom }
    const { customer, till, processor, checkout } = await openShop({
      logger,
      accepts: code => code !== 'table-1' || boom(),
    })
    processor.answer = () => Promise.reject(new Error('reset'))
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    try {
      expect(stateOf((await customer.pay('/shelf?amount=1850')).page)).toBe('pending')
      expect((await customer.open('/table-1')).response.status).toBe(500)
      await checkout.close()
      expect(stderr).toHaveBeenCalled()
    } finally {
      stderr.mockRestore()
    }
    expect(await till.payments.get('books', 1)).toMatchObject({ status: 'pending' })
  })
})
