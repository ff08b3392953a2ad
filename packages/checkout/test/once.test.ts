import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Checkout, TillError } from '@tillkit/checkout'
import { type SqliteStorage, sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import { createTill, type Payment } from '@tillkit/till'
import { describe, expect, test, vi } from 'vitest'
import { openShop, send, stateOf } from './shop.ts'

const form = { total: '1850' }
const soon = { timeout: 60_000 }

/** A promise to be settled by hand. */
function later<Value>() {
  return Promise.withResolvers<Value>()
}

describe('one charge', () => {
  test('pressing twice, one after another', async () => {
    const { customer, processor } = await openShop()
    const { target } = await customer.open('/shelf?amount=1850')
    const first = await customer.press(target, form)
    const second = await customer.press(target, form)
    expect([stateOf(first.page), stateOf(second.page)]).toEqual(['completed', 'completed'])
    expect(processor.charged).toHaveLength(1)
  })

  test('pressing many times at once: the others wait for the one', async () => {
    const { customer, processor, till } = await openShop()
    const answer = later<{ status: 'completed' }>()
    processor.answer = () => answer.promise
    const { target } = await customer.open('/shelf?amount=1850')
    const presses = Array.from({ length: 12 }, () => customer.press(target, form))
    const early = await Promise.all(presses.slice(1))
    expect(early.map(({ page }) => stateOf(page))).toEqual(Array(11).fill('pending'))
    answer.resolve({ status: 'completed' })
    await presses[0]
    expect(stateOf((await customer.open(target)).page)).toBe('completed')
    expect(processor.charged).toHaveLength(1)
    expect((await till.payments.list('books')).total).toBe(1)
  })

  test('pressing at once in several processes, and after one was started anew', async () => {
    const { another, customer, processor, till } = await openShop()
    const { target } = await customer.open('/shelf?amount=1850')
    const processes = [another(), another(), another()]
    const cookie = customer.cookie()
    await Promise.all(processes.map(({ handler }) => send(handler, target, { form, cookie })))
    await send(another().handler, target, { form, cookie })
    expect(processor.charged).toHaveLength(1)
    expect((await till.payments.list('books')).total).toBe(1)
    expect(stateOf((await customer.open(target)).page)).toBe('completed')
  })

  test('in two processes on one database', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tillkit-checkout-'))
    const storages = [1, 2].map(() => sqliteStorage({ file: join(folder, 'till.db') }))
    try {
      const [here, there] = storages as [SqliteStorage, SqliteStorage]
      await here.migrate()
      const { customer, processor, checkout, another } = await openShop({}, { storage: here })
      const elsewhere = another({}, createTill({ storage: there }))
      for (let round = 1; round <= 5; round++) {
        const { target } = await customer.open('/shelf?amount=1850')
        const presses = Array.from({ length: 10 }, (_, n) => [checkout, elsewhere][n % 2] as Checkout)
        const cookie = customer.cookie()
        const answers = await Promise.all(
          presses.map(({ handler }) => send(handler, target, { form, cookie })),
        )
        expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(303))
        expect(processor.charged).toHaveLength(round)
      }
    } finally {
      for (const storage of storages) await storage.close()
      await rm(folder, { recursive: true })
    }
  })

  test('going back, or loading the page again, comes to the payment, not to the form', async () => {
    const { customer, processor } = await openShop()
    const { target } = await customer.open('/shelf?amount=1850')
    await customer.press(target, form)
    const back = await customer.open(target)
    expect(stateOf(back.page)).toBe('completed')
    expect(back.page).not.toContain('<form')
    expect(processor.charged).toHaveLength(1)
  })

  test('what was changed before a second press changes nothing', async () => {
    const { customer, processor } = await openShop()
    const { target } = await customer.open('/table-1')
    await customer.press(target, { amount: '10', total: '1000' })
    const second = await customer.press(target, { amount: '20', total: '2000' })
    expect(second.page).toContain('€10.00')
    await customer.press(`${target}?amount=3000`, { total: '3000' })
    expect(processor.charged).toHaveLength(1)
  })

  test('a scan is an attempt of its own', async () => {
    const { customer, processor } = await openShop()
    const [one, other] = [
      await customer.open('/shelf?amount=1850'),
      await customer.open('/shelf?amount=1850'),
    ]
    expect(one.target).not.toBe(other.target)
    await customer.press(one.target, form)
    expect(stateOf((await customer.open(other.target)).page)).toBe('pay')
    await customer.press(other.target, form)
    expect(processor.charged).toHaveLength(2)
  })

  test('whoever dies before the charge leaves the payment pending, and nobody charges it', async () => {
    const { customer, processor, till } = await openShop()
    const { target } = await customer.open('/shelf?amount=1850')
    const attempt = /pay\/([^?]*)/.exec(target)?.[1]
    await till.payments.startOnce({
      scanCode: 'shelf',
      totalAmount: 1850,
      attemptKey: `checkout:shelf:${attempt}`,
    })
    const { page } = await customer.press(target, form)
    expect(stateOf(page)).toBe('pending')
    expect(processor.charged).toEqual([])
  })
})

describe('an outcome that nobody knows', () => {
  test.each([
    ['a processor that throws', () => Promise.reject(new Error('connection reset'))],
    [
      'one that throws at once',
      () => {
        throw new Error('no such method')
      },
    ],
    ['one that answers nothing', () => undefined],
    ['one that answers nonsense', () => ({ status: 'ok' })],
  ])('%s: the payment stays pending, the page waits', async (_, answer) => {
    const logger = { warn: vi.fn(), error: vi.fn() }
    const { customer, processor, till, checkout } = await openShop({ logger })
    processor.answer = answer as never
    const { page, target } = await customer.pay('/shelf?amount=1850')
    expect(stateOf(page)).toBe('pending')
    expect(page).toContain('you will not be charged twice')
    await checkout.close()
    expect(await till.payments.get('books', 1)).toMatchObject({ status: 'pending', failure: null })
    expect(logger.warn).toHaveBeenCalledOnce()
    expect(logger.warn.mock.calls[0]?.[0]).toMatchObject({ merchantId: 'books', id: 1 })

    await customer.press(target, form)
    expect(processor.charged).toHaveLength(1)
    await till.payments.complete({ merchantId: 'books', id: 1 })
    expect(stateOf((await customer.open(target)).page)).toBe('completed')
  })

  test('a processor that does not answer in time: pending, its signal aborted; what it says later is recorded', async () => {
    const logger = { warn: vi.fn(), error: vi.fn() }
    const { customer, processor, till, checkout } = await openShop({
      logger,
      waitSeconds: 0.01,
      timeoutSeconds: 0.05,
    })
    const answer = later<{ status: 'completed' }>()
    processor.answer = () => answer.promise
    const { page } = await customer.pay('/shelf?amount=1850')
    expect(stateOf(page)).toBe('pending')
    await checkout.close()
    expect(processor.contexts[0]?.signal.aborted).toBe(true)
    expect(logger.warn).toHaveBeenCalledOnce()
    expect(await till.payments.get('books', 1)).toMatchObject({ status: 'pending' })
    answer.resolve({ status: 'completed' })
    await vi.waitFor(
      async () => expect((await till.payments.get('books', 1))?.status).toBe('completed'),
      soon,
    )
  })

  test('a slow processor: the page waits from then on, close waits for the outcome', async () => {
    const { customer, processor, till, checkout } = await openShop({ waitSeconds: 0.01 })
    const answer = later<{ status: 'error'; failure: string }>()
    processor.answer = () => answer.promise
    expect(stateOf((await customer.pay('/shelf?amount=1850')).page)).toBe('pending')
    answer.resolve({ status: 'error', failure: 'card_declined' })
    await checkout.close()
    expect(await till.payments.get('books', 1)).toMatchObject({ status: 'error', failure: 'card_declined' })
  })

  test('a payment that is being started as it closes is charged and waited for, and none is started afterwards', async () => {
    const { customer, processor, till, checkout } = await openShop()
    const { startOnce } = till.payments
    const goOn = later<void>()
    const start = vi.spyOn(till.payments, 'startOnce').mockImplementation(async input => {
      await goOn.promise
      return startOnce(input)
    })
    const pressed = customer.pay('/shelf?amount=1850')
    await vi.waitFor(() => expect(start).toHaveBeenCalled(), soon)
    const closed = checkout.close()
    goOn.resolve()
    await closed
    expect(await till.payments.get('books', 1)).toMatchObject({ status: 'completed' })
    expect(stateOf((await pressed).page)).toBe('completed')

    expect((await customer.pay('/shelf?amount=1850')).response.status).toBe(503)
    expect(processor.charged).toHaveLength(1)
    expect((await till.payments.list('books')).total).toBe(1)
  })
})

describe('recording an outcome', () => {
  test('is tried again where the storage is down for a moment', async () => {
    const logger = { warn: vi.fn(), error: vi.fn() }
    const { customer, processor, till, checkout } = await openShop({ logger, waitSeconds: 0.01 })
    const complete = vi.spyOn(till.payments, 'complete').mockRejectedValueOnce(new Error('database is gone'))
    await customer.pay('/shelf?amount=1850')
    await checkout.close()
    expect(complete).toHaveBeenCalledTimes(2)
    expect(processor.charged).toHaveLength(1)
    expect(await till.payments.get('books', 1)).toMatchObject({ status: 'completed' })
    expect(logger.error).not.toHaveBeenCalled()
  })

  test('that somebody else decided otherwise is told to the log, and the page shows what counts', async () => {
    const logger = { warn: vi.fn(), error: vi.fn() }
    const { customer, processor, till } = await openShop({ logger })
    processor.answer = async (payment: Payment) => {
      await till.payments.fail(payment, { failure: 'stale' })
      return { status: 'completed' }
    }
    const { page } = await customer.pay('/shelf?amount=1850')
    expect(stateOf(page)).toBe('error')
    expect(logger.error.mock.calls).toMatchObject([
      [{ err: expect.any(TillError), id: 1, outcome: 'completed' }, expect.any(String)],
    ])
  })

  test('a processor that scribbles on what it is handed changes nothing', async () => {
    const { customer, processor, till } = await openShop()
    processor.answer = (payment: Payment) => {
      Object.assign(payment, { id: 99, merchantId: 'cafe', extra: null })
      return { status: 'completed' }
    }
    await customer.pay('/shelf?amount=1850')
    expect(await till.payments.get('books', 1)).toMatchObject({ status: 'completed' })
  })
})
