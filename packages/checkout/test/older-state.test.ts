import type { ChargeOutcome } from '@tillkit/checkout'
import type { Storage } from '@tillkit/storage'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill } from '@tillkit/till'
import { expect, test, vi } from 'vitest'
import { openShop } from './shop.ts'

const soon = { timeout: 60_000, interval: 20 }
const PAID = { status: 'completed' } as const

/** A shop whose database can go back to a state without payments, as from a backup. */
async function shopBeforeARestore() {
  let database = memoryStorage()
  let time = Date.parse('2026-11-20T09:30:00Z')
  const storage = new Proxy({} as Storage, { get: (_, name) => Reflect.get(database, name) })
  const [logger, handed] = [{ warn: vi.fn(), error: vi.fn() }, vi.fn()]
  const answers: PromiseWithResolvers<ChargeOutcome>[] = []
  const shop = await openShop(
    { logger, onUnrecorded: handed, waitSeconds: 0.05, recordSeconds: 60 },
    { storage, clock: () => new Date(time) },
  )
  shop.processor.answer = () => {
    const answer = Promise.withResolvers<ChargeOutcome>()
    answers.push(answer)
    return answer.promise
  }
  return {
    ...shop,
    logger,
    handed,
    answers,
    async restore() {
      database = memoryStorage()
      time += 60_000
      const { merchants, scanCodes } = createTill({ storage, clock: () => new Date(time) })
      await merchants.create({ id: 'books', name: 'Harbour Books' })
      await scanCodes.create('books', { code: 'shelf' })
    },
  }
}

test('an outcome that comes late is not recorded for another payment that has the id now', async () => {
  const { customer, till, answers, handed, logger, checkout, restore } = await shopBeforeARestore()
  await customer.pay('/shelf?amount=1850')
  await restore()
  await customer.pay('/shelf?amount=400')
  const now = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => now + 60_000)
  answers[0]?.resolve(PAID)
  await vi.waitFor(() => expect(handed).toHaveBeenCalled(), soon)
  vi.restoreAllMocks()
  expect(handed.mock.calls).toEqual([[expect.objectContaining({ id: 1, totalAmount: 1850 }), PAID]])
  expect(logger.error.mock.calls).toMatchObject([
    [
      { err: { message: 'payment 1 of merchant books is another one by now' }, id: 1 },
      'an outcome was not recorded',
    ],
  ])
  expect(await till.payments.get('books', 1)).toMatchObject({ totalAmount: 400, status: 'pending' })
  answers[1]?.resolve(PAID)
  await checkout.close()
  expect(await till.payments.get('books', 1)).toMatchObject({ totalAmount: 400, status: 'completed' })
  expect(handed).toHaveBeenCalledOnce()
})

/** The first payment was charged while the database did not take outcomes, and the second has its id by now. */
async function paidWhileAway() {
  const shop = await shopBeforeARestore()
  const { customer, till, answers, restore } = shop
  const complete = till.payments.complete
  const away = vi.spyOn(till.payments, 'complete').mockRejectedValue(new Error('the database is away'))
  await customer.pay('/shelf?amount=1850')
  answers[0]?.resolve(PAID)
  await vi.waitFor(() => expect(away).toHaveBeenCalled(), soon)
  await restore()
  await customer.pay('/shelf?amount=400')
  return { ...shop, away, isBack: () => away.mockImplementation(complete) }
}

test('nor one that the database did not take at first; the other payment gets its own', async () => {
  const { till, answers, handed, checkout, isBack } = await paidWhileAway()
  isBack()
  await vi.waitFor(() => expect(handed).toHaveBeenCalled(), soon)
  expect(handed.mock.calls).toEqual([[expect.objectContaining({ id: 1, totalAmount: 1850 }), PAID]])
  expect(await till.payments.get('books', 1)).toMatchObject({ totalAmount: 400, status: 'pending' })
  answers[1]?.resolve({ status: 'error', failure: 'card_declined' })
  await checkout.close()
  expect(await till.payments.get('books', 1)).toMatchObject({ status: 'error', failure: 'card_declined' })
})

test('one that waits to be recorded is not taken for the same of another payment', async () => {
  const { till, answers, checkout, away, isBack } = await paidWhileAway()
  answers[1]?.resolve(PAID)
  await vi.waitFor(
    () => expect(away.mock.calls.some(([key]) => 'totalAmount' in key && key.totalAmount === 400)).toBe(true),
    soon,
  )
  isBack()
  await checkout.close()
  expect(await till.payments.get('books', 1)).toMatchObject({ totalAmount: 400, status: 'completed' })
})

test('one that was recorded for another payment within a moment is told of', async () => {
  const { customer, answers, handed, logger, restore } = await shopBeforeARestore()
  await customer.pay('/shelf?amount=1850')
  await restore()
  await customer.pay('/shelf?amount=400')
  answers[0]?.resolve(PAID)
  await vi.waitFor(() => expect(handed).toHaveBeenCalled(), soon)
  expect(handed.mock.calls).toEqual([[expect.objectContaining({ id: 1, totalAmount: 1850 }), PAID]])
  expect(logger.error.mock.calls).toMatchObject([
    [
      {
        err: {
          message: 'payment 1 of merchant books is another one by now, and completed was answered for it',
        },
      },
      'an outcome was not recorded',
    ],
  ])
})
