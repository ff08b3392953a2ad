import { idempotencyKey } from '@tillkit/checkout'
import type { Merchant, Payment } from '@tillkit/till'
import type Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { stripeProcessor } from '../src/processor.ts'
import type { Fault } from '../src/stand-in/api.ts'
import { openStandIn, type StandIn } from '../src/stand-in/stand-in.ts'

const CREATE = /^POST \/v1\/payment_intents$/
const CONFIRM = /\/confirm$/
const RETRIEVE = /^GET \/v1\/payment_intents\/pi_/

let standIn: StandIn

beforeEach(async () => {
  standIn = await openStandIn()
})
afterEach(() => standIn.close())

const now = Date.now()

/** A payment of so long ago: one and the same, whenever it is asked for. */
const paymentOf = (id: number, secondsAgo = 0) =>
  ({
    merchantId: 'coffee',
    id,
    totalAmount: 1850,
    date: `${new Date(now - 1000 * secondsAgo).toISOString().slice(0, 19)}Z`,
  }) as Payment

function open(config: Stripe.StripeConfig = {}) {
  const processor = stripeProcessor(standIn.client(config), { currency: 'eur' })
  const charge = async (payment: Payment, payment_method = 'pm_card_visa') =>
    processor.charge(payment, {
      fields: { payment_method },
      merchant: {} as Merchant,
      request: {} as never,
      returnUrl: 'https://pay.example.com/qr/counter/pay/x/back',
      idempotencyKey: idempotencyKey(payment),
      signal: new AbortController().signal,
    })
  const lookup = async (payment: Payment) =>
    processor.lookup(payment, { signal: new AbortController().signal })
  return { charge, lookup }
}

const paid = () => [...standIn.intents.values()].filter(({ status }) => status === 'succeeded').length
const fault = (of: RegExp, what: Fault['what'], when: Fault['when'] = 'before') =>
  standIn.faults.push({ of, when, what })

describe('a charge', () => {
  test('that succeeds, and the same charge once more: one intent', async () => {
    const { charge, lookup } = open()
    const payment = paymentOf(1)
    expect(await charge(payment)).toEqual({ status: 'completed' })
    expect(await charge(payment)).toEqual({ status: 'completed' })
    expect(await lookup(payment)).toEqual({ status: 'completed' })
    expect(await charge(paymentOf(2))).toEqual({ status: 'completed' })
    expect([standIn.intents.size, paid()]).toEqual([2, 2])
    expect([...standIn.intents.values()][0]).toMatchObject({ amount: 1850, currency: 'eur' })
  })

  test('that is declined: says why, and nobody can pay that intent any more', async () => {
    const { charge, lookup } = open()
    const declined = { status: 'error', failure: 'generic_decline' }
    expect(await charge(paymentOf(1), 'pm_card_visa_chargeDeclined')).toEqual(declined)
    expect([...standIn.intents.values()].map(({ status }) => status)).toEqual(['canceled'])
    expect(await lookup(paymentOf(1))).toEqual(declined)
    expect(await charge(paymentOf(1), 'pm_card_visa_chargeDeclined')).toEqual(declined)
  })

  test('without a method, or with one that nobody could have chosen, asks Stripe nothing', async () => {
    const { charge } = open()
    for (const method of ['', 'card', 'pm_x&amount=1', `pm_${'x'.repeat(300)}`]) {
      expect(await charge(paymentOf(1), method)).toMatchObject({ failure: 'payment_method_missing' })
    }
    expect(standIn.requests).toEqual([])
  })

  test('with a method that Stripe refuses is ended, and nobody can pay that intent any more', async () => {
    const { charge } = open()
    const refused = { status: 'error', failure: 'payment_method_refused' }
    expect(await charge(paymentOf(1), 'pm_nobody')).toEqual(refused)
    expect([...standIn.intents.values()].map(({ status }) => status)).toEqual(['canceled'])
  })

  test.each(['pm_card_authenticationRequired', 'ideal'])(
    'by %s sends the customer away and knows what they did',
    async method => {
      const { charge, lookup } = open()
      const step = await charge(paymentOf(1), method)
      expect(step).toEqual({ status: 'redirect', url: expect.stringContaining('/authorize/pi_') })
      expect(await lookup(paymentOf(1))).toEqual(step)
      const back = await decide(step, 'complete')
      expect(back).toMatch(
        /^https:\/\/pay\.example\.com\/.*\/back\?payment_intent=pi_.*&redirect_status=succeeded$/,
      )
      expect(await lookup(paymentOf(1))).toEqual({ status: 'completed' })

      await decide(await charge(paymentOf(2), method), 'fail')
      const failure = 'payment_intent_authentication_failure'
      expect(await lookup(paymentOf(2))).toEqual({ status: 'error', failure })
      expect(await lookup(paymentOf(2))).toEqual({ status: 'error', failure })
      expect(paid()).toBe(1)
    },
  )

  test('that nobody confirms is ended after an hour, and cannot be confirmed then', async () => {
    const { charge, lookup } = open()
    const old = paymentOf(1, 3601)
    const young = paymentOf(2)
    const step = await charge(young, 'ideal')
    expect(await charge(old, 'ideal')).toEqual({ status: 'error', failure: 'abandoned' })
    expect(await lookup(old)).toEqual({ status: 'error', failure: 'abandoned' })
    expect(await lookup(young)).toEqual(step)
    for (const { id } of standIn.intents.values()) {
      await decide(
        { status: 'redirect', url: `${new URL((step as { url: string }).url).origin}/authorize/${id}` },
        'complete',
      )
    }
    expect([await lookup(old), await lookup(young)].map(({ status }) => status)).toEqual([
      'error',
      'completed',
    ])
  })

  test('is under way as long as Stripe says so', async () => {
    const { charge, lookup } = open()
    await charge(paymentOf(1), 'ideal')
    for (const intent of standIn.intents.values())
      Object.assign(intent, { status: 'processing', next_action: null })
    expect(await lookup(paymentOf(1))).toEqual({ status: 'pending' })
  })
})

describe('on a bad day', () => {
  test.each<[Fault['what'], RegExp]>([
    [429, CREATE],
    [409, CREATE],
    ['cut', CREATE],
    [429, CONFIRM],
    [409, CONFIRM],
    [500, CONFIRM],
    ['cut', CONFIRM],
  ])('%j before Stripe has begun with %s: its package tries again, one charge', async (what, of) => {
    const { charge } = open()
    fault(of, what)
    expect(await charge(paymentOf(1))).toEqual({ status: 'completed' })
    expect([standIn.intents.size, paid()]).toEqual([1, 1])
  })

  test.each<[Fault['what'], RegExp]>([
    ['cut', CREATE],
    ['cut', CONFIRM],
    [{ hangsMs: 600_000 }, CREATE],
    [{ hangsMs: 600_000 }, CONFIRM],
  ])('%j after Stripe has done %s: one charge', async (what, of) => {
    const { charge, lookup } = open({ timeout: 300 })
    fault(of, what, 'after')
    // A key that hangs is a conflict for as long as it does.
    const outcome = await charge(paymentOf(1)).catch(() => null)
    if (outcome === null) expect(what).not.toBe('cut')
    const counted = () => [standIn.intents.size, paid()]
    expect(counted()).toEqual([1, of === CONFIRM || outcome ? 1 : 0])
    if (of === CONFIRM) expect(await lookup(paymentOf(1))).toEqual({ status: 'completed' })
    expect(standIn.intents.size).toBe(1)
  })

  test('a 500 after it was done is repeated by Stripe, and found all the same', async () => {
    const { charge, lookup } = open()
    fault(CONFIRM, 500, 'after')
    await expect(charge(paymentOf(1))).rejects.toThrow('a fault: 500')
    expect(await lookup(paymentOf(1))).toEqual({ status: 'completed' })
    fault(CREATE, 500, 'after')
    await expect(charge(paymentOf(2))).rejects.toThrow('a fault: 500')
    expect(await lookup(paymentOf(2))).toEqual({ status: 'unknown' })
    expect([standIn.intents.size, paid()]).toEqual([2, 1])
  })

  test('what never reached Stripe is unknown, and after an hour was not charged and never will be', async () => {
    const { lookup } = open()
    expect(await lookup(paymentOf(1))).toEqual({ status: 'unknown' })
    expect(await lookup(paymentOf(2, 3601))).toEqual({ status: 'error', failure: 'abandoned' })
    expect(paid()).toBe(0)
  })

  test('a lookup that is refused throws, and does not tell', async () => {
    const { charge, lookup } = open({ maxNetworkRetries: 0 })
    await charge(paymentOf(1))
    for (const what of [429, 409, 500] as const) {
      fault(RETRIEVE, what)
      await expect(lookup(paymentOf(1)).then(({ status }) => status)).rejects.toThrow()
    }
    expect(await lookup(paymentOf(1))).toEqual({ status: 'completed' })
  })

  test('when Stripe has forgotten the keys, a payment of the day before is found by its metadata', async () => {
    const { charge, lookup } = open()
    const payment = paymentOf(1)
    await charge(payment)
    standIn.forgetKeys()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 25 * 3_600_000 })
    try {
      expect(await lookup(payment)).toEqual({ status: 'completed' })
      expect(await lookup(paymentOf(9, 25 * 3600))).toEqual({ status: 'unknown' })
    } finally {
      vi.useRealTimers()
    }
    expect(standIn.intents.size).toBe(1)
  })

  test('and where the clock of this machine is behind besides, it is found all the same', async () => {
    const { charge, lookup } = open()
    const payment = paymentOf(1, 25 * 3600)
    await charge(payment)
    standIn.forgetKeys()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(payment.date) + 2 * 3_600_000 })
    try {
      expect(await lookup(payment)).toEqual({ status: 'completed' })
      const other = paymentOf(2, 25 * 3600)
      for (const intent of standIn.intents.values()) {
        intent.status = 'processing'
        intent.metadata = { payment: idempotencyKey(other) }
      }
      expect(await lookup(other)).toEqual({ status: 'pending' })
    } finally {
      vi.useRealTimers()
    }
  })

  test('the same name with another amount is refused', async () => {
    const { charge } = open()
    const payment = paymentOf(1)
    await charge(payment)
    await expect(charge({ ...payment, totalAmount: 1 })).rejects.toMatchObject({
      type: 'StripeIdempotencyError',
    })
    expect(paid()).toBe(1)
  })
})

/** What the customer does where a step sends them. Returns where they are sent then. */
async function decide(step: object, decision: 'complete' | 'fail'): Promise<string> {
  const body = new URLSearchParams({ decision })
  const answer = await fetch((step as { url: string }).url, { method: 'POST', body, redirect: 'manual' })
  return answer.headers.get('location') ?? ''
}
