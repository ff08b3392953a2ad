import { setTimeout as sleep } from 'node:timers/promises'
import { type ChargeOutcome, createCharger, type PaymentProcessor } from '@tillkit/checkout'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill, type Payment } from '@tillkit/till'
import { expect, test, vi } from 'vitest'

// What a charger keeps in memory and asks at once has an end, however many customers press and look.
const waitSeconds = 0.02

async function chargerOf(processor: PaymentProcessor, timeoutSeconds = 60) {
  const till = createTill({ storage: memoryStorage(), logger: false })
  const merchant = await till.merchants.create({ id: 'books', name: 'Harbour Books' })
  await till.scanCodes.create(merchant.id, { code: 'shelf' })
  const charger = createCharger(till, processor, { waitSeconds, timeoutSeconds, logger: false })
  const context = { merchant, fields: {}, request: {} as never, returnUrl: 'https://pay.example.com/' }
  const pay = (attemptKey: string) =>
    charger.pay({ scanCode: 'shelf', totalAmount: 1850, attemptKey }, context)
  return { charger, pay }
}

/** Pending payments that this process has not heard of. */
const others = (payment: Payment, count: number) =>
  Array.from({ length: count }, (_, i) => ({ ...payment, id: payment.id + 1 + i }))

test('of the steps of more than ten thousand customers the oldest is forgotten', async () => {
  const step = { status: 'redirect', url: 'https://bank.example.com/1' } as const
  const { charger, pay } = await chargerOf({ charge: () => step })
  const payment = await pay('first')
  const [last, ...rest] = others(payment, 10_000)
  for (const other of rest) await charger.standing(other)
  expect((await charger.standing(payment)).step).toEqual(step)
  await charger.standing(last as Payment)
  expect((await charger.standing(payment)).step).toBeNull()
  await charger.close()
})

test('a processor is asked about a hundred payments at once, and about the others when it has answered', async () => {
  const answers: ((answer: { status: 'pending' }) => void)[] = []
  const lookup = vi.fn(() => new Promise<{ status: 'pending' }>(resolve => answers.push(resolve)))
  const { charger, pay } = await chargerOf({ charge: () => ({ status: 'pending' }), lookup })
  const payments = others(await pay('first'), 150)
  await Promise.all(payments.map(charger.standing))
  expect(lookup).toHaveBeenCalledTimes(100)
  for (const answer of answers) answer({ status: 'pending' })
  await vi.waitFor(async () => {
    await charger.standing(payments[149] as Payment)
    expect(lookup).toHaveBeenCalledTimes(101)
  })
  await charger.close()
})

test('a processor that is down is asked later about a thousand charges, and the rest is left to reconcile', async () => {
  const lookup = vi.fn(() => ({ status: 'unknown' }) as const)
  const charge = () => Promise.reject(new Error('down'))
  const { charger, pay } = await chargerOf({ charge, lookup })
  for (let i = 0; i < 1_010; i++) await pay(`press ${i}`)
  const asked = () => new Set(lookup.mock.calls.map(([payment]: unknown[]) => (payment as Payment).id))
  await vi.waitFor(() => expect(asked().size).toBe(1_000), 60_000)
  await charger.close()
})

test('a charge that was answered late is asked about no more', async () => {
  const lookup = vi.fn(() => ({ status: 'unknown' }) as const)
  const answered = Promise.withResolvers<ChargeOutcome>()
  const { charger, pay } = await chargerOf({ charge: () => answered.promise, lookup }, 0.05)
  expect((await pay('first')).status).toBe('pending')
  await sleep(200)
  answered.resolve({ status: 'completed' })
  await sleep(1_500)
  expect(lookup).not.toHaveBeenCalled()
  await charger.close()
})
