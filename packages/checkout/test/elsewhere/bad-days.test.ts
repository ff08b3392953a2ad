import type { PaymentLookup, PaymentProcessor } from '@tillkit/checkout'
import { describe, expect, test, vi } from 'vitest'
import { openHighStreet } from './high-street.ts'
import { walker } from './walker.ts'

/** A processor whose `lookup` misbehaves until it is told to answer. */
function moody(mood: PaymentLookup) {
  const state = { well: false }
  const change = (processor: PaymentProcessor & { lookup: PaymentLookup }): PaymentProcessor => ({
    ...processor,
    lookup: (payment, context) => (state.well ? processor.lookup(payment, context) : mood(payment, context)),
  })
  return { state, change }
}

describe('a lookup that does not tell, while the customer comes back', () => {
  test.each<[string, PaymentLookup]>([
    ['throws', () => Promise.reject(new Error('busy'))],
    [
      'throws at once',
      () => {
        throw new Error('no such method')
      },
    ],
    ['is slow', () => new Promise(() => {})],
    ['answers nothing', () => undefined as never],
    ['answers nonsense', () => ({ status: 'succeeded' }) as never],
    ['sends the customer to a script', () => ({ status: 'redirect', url: 'javascript:alert(1)' })],
    ['sends the customer nowhere', () => ({ status: 'redirect' }) as never],
    ['knows nothing', () => ({ status: 'unknown' })],
  ])('%s: the page keeps offering the way, and shows the outcome as soon as it is told', async (_, mood) => {
    const { state, change } = moody(mood)
    const options = { waitSeconds: 0.3, timeoutSeconds: 10 }
    const { bank, customer, scanned, payment, shows } = await openHighStreet(options, change)
    // On a busy machine the bank answers the charge after the page has.
    const pressed = await customer.pay(await customer.open(scanned))
    const step = await shows(pressed.url, 'step')
    const back = await customer.decide(await customer.goOn(step), 'approve')
    expect(back.state).toBe('step')
    expect(back.text).not.toContain('javascript')
    expect(await payment()).toMatchObject({ status: 'pending' })
    state.well = true
    await shows(step.url, 'completed')
    expect(bank.only().booked).toBe(1)
  })

  test('is pending: the page waits, and the way there is no longer offered', async () => {
    const { bank, sent, shows, till, own } = await openHighStreet()
    const step = await sent()
    bank.only().state = 'under way'
    const waiting = await shows(step.url, 'pending')
    expect(waiting.text).not.toContain('data-go')
    Object.assign(bank.only(), { state: 'approved', booked: 1 })
    expect(await till.payments.reconcile(own.lookup, { olderThanSeconds: 0 })).toMatchObject({ completed: 1 })
    await shows(step.url, 'completed')
  })

  test('is not there: the way stays, and the host says how it ended', async () => {
    const street = await openHighStreet({}, ({ charge }) => ({ charge }))
    const { customer, sent, till, payment } = street
    const step = await sent()
    expect((await customer.decide(await customer.goOn(step), 'approve')).state).toBe('step')
    await till.payments.complete({ merchantId: 'books', id: 1 })
    expect((await customer.open(step.url)).state).toBe('completed')
    expect(await payment()).toMatchObject({ status: 'completed' })
  })

  test('is asked about a payment once at a time, and not more than once a second', async () => {
    const { bank, customer, sent, logger } = await openHighStreet()
    const step = await sent()
    const start = performance.now()
    await Promise.all(Array.from({ length: 30 }, () => customer.open(step.url)))
    await customer.open(step.url)
    const seconds = (performance.now() - start) / 1000
    expect(bank.asked.length).toBeGreaterThan(0)
    expect(bank.asked.length).toBeLessThanOrEqual(2 + seconds)
    expect(logger.warn).not.toHaveBeenCalled()
  })
})

describe('an answer that comes late', () => {
  test('the page that waits leads on when the processor says where to', async () => {
    const go = Promise.withResolvers<void>()
    const { bank, customer, scanned, shows } = await openHighStreet({ waitSeconds: 0.1 })
    bank.onCharged = () => go.promise
    const waiting = await customer.pay(await customer.open(scanned))
    expect(waiting.state).toBe('pending')
    expect(bank.asked).toEqual([]) // whoever charges will be told
    go.resolve()
    const step = await shows(waiting.url, 'step')
    await customer.decide(await customer.goOn(step), 'approve')
    await shows(step.url, 'completed')
  })

  test('a charge that is given up on, or throws: lookup finds the way', async () => {
    const { bank, customer, scanned, shows } = await openHighStreet({ waitSeconds: 0.1, timeoutSeconds: 0.3 })
    bank.onCharged = () => Promise.reject(new Error('the line is cut'))
    const waiting = await customer.pay(await customer.open(scanned))
    const step = await shows(waiting.url, 'step')
    await customer.decide(await customer.goOn(step), 'approve')
    await shows(step.url, 'completed')
    expect(bank.only().booked).toBe(1)
  })

  test('after failStale, of what was never confirmed: not paid', async () => {
    const { bank, customer, sent, till } = await openHighStreet({}, undefined, hourLater())
    const step = await sent()
    expect(await till.payments.failStale({ olderThanSeconds: 0 })).toBe(1)
    const late = await customer.open(step.url)
    expect(late.state).toBe('error')
    expect(late.text).not.toContain('data-go')
    expect(bank.only().booked).toBe(0)
  })

  test('after failStale, of what was confirmed: the host is told once, and nobody is asked to pay again', async () => {
    const onUnrecorded = vi.fn()
    const { bank, customer, sent, till, payment } = await openHighStreet(
      { onUnrecorded },
      undefined,
      hourLater(),
    )
    const step = await sent()
    expect(await till.payments.failStale({ olderThanSeconds: 0 })).toBe(1)
    const late = await customer.decide(await customer.goOn(step), 'approve')
    expect(late.text).toMatch(/<h1>Ask whom you pay<\/h1>/)
    expect(late.text).not.toMatch(/Try again|<a class="button/)
    expect((await customer.open(step.url)).text).toContain('Do not pay again')
    expect(await payment()).toMatchObject({ status: 'error', failure: 'stale' })
    expect(bank.only().booked).toBe(1)
    expect(onUnrecorded.mock.calls).toMatchObject([[{ merchantId: 'books', id: 1 }, { status: 'completed' }]])
    expect((await walker().open(step.url)).text).toContain('This link was used before')
  })
})

/** A till whose clock goes on by itself, so that what was started is old at once. */
function hourLater() {
  let seconds = 0
  return { clock: () => new Date(Date.now() + 1000 * seconds++) }
}
