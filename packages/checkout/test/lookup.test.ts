import type { LookupAnswer } from '@tillkit/till'
import { describe, expect, test, vi } from 'vitest'
import { bookkeeper, openShop, stateOf } from './shop.ts'

const soon = { timeout: 120_000, interval: 20 }

async function shopWithLookup(lookup: () => LookupAnswer | Promise<LookupAnswer>) {
  const logger = { warn: vi.fn(), error: vi.fn() }
  const processor = { ...bookkeeper(), lookup: vi.fn(lookup) }
  const shop = await openShop({ logger, processor, waitSeconds: 0.05, timeoutSeconds: 0.2 })
  return { ...shop, logger, processor }
}

describe('a processor that may be asked what became of a charge', () => {
  test.each<[string, () => never]>([
    [
      'throws',
      () => {
        throw new Error('connection reset')
      },
    ],
    ['does not answer', () => new Promise(() => {}) as never],
    ['answers nonsense', () => ({ status: 'ok' }) as never],
  ])('is asked when charge %s, and the outcome recorded', async (_, answer) => {
    const { customer, processor, till, checkout } = await shopWithLookup(() => ({ status: 'completed' }))
    processor.charge = answer
    const { page, target } = await customer.pay('/shelf?amount=1850')
    // On a busy machine it is asked before the page is there.
    expect(['pending', 'completed']).toContain(stateOf(page))
    await vi.waitFor(
      async () => expect((await till.payments.get('books', 1))?.status).toBe('completed'),
      soon,
    )
    expect(processor.lookup.mock.calls).toMatchObject([
      [{ merchantId: 'books', id: 1, totalAmount: 1850 }, { signal: expect.any(AbortSignal) }],
    ])
    expect(stateOf((await customer.open(target)).page)).toBe('completed')
    await checkout.close()
  })

  // Each waits until it is asked again: they wait side by side.
  test.concurrent.each<[string, () => LookupAnswer | Promise<LookupAnswer>]>([
    ['pending', () => ({ status: 'pending' })],
    ['unknown', () => ({ status: 'unknown' })],
    ['nothing', () => undefined as never],
    ['by throwing', () => Promise.reject(new Error('busy'))],
    ['never', () => new Promise(() => {})],
  ])('is asked again when it answers %s', async (_, first) => {
    let asked = 0
    const lookup = () => (++asked === 1 ? first() : { status: 'error' as const, failure: 'card_declined' })
    const { customer, processor, till, checkout } = await shopWithLookup(lookup)
    processor.charge = () => Promise.reject(new Error('connection reset')) as never
    await customer.pay('/shelf?amount=1850')
    await vi.waitFor(
      async () => expect(await till.payments.get('books', 1)).toMatchObject({ failure: 'card_declined' }),
      soon,
    )
    expect(asked).toBe(2)
    await checkout.close()
  })

  test('is not asked for what is known, nor after the end', async () => {
    const { customer, processor, checkout, logger } = await shopWithLookup(() => ({ status: 'unknown' }))
    await customer.pay('/shelf?amount=1850')
    processor.answer = () => ({ status: 'pending' })
    await customer.pay('/shelf?amount=1850')
    processor.answer = () => Promise.reject(new Error('connection reset'))
    await customer.pay('/shelf?amount=1850')
    await checkout.close()
    // About the third it is asked before the end where the machine is busy.
    const asked = processor.lookup.mock.calls as unknown as [{ id: number }][]
    expect(asked.filter(([{ id }]) => id !== 3)).toEqual([])
    expect(logger.error).not.toHaveBeenCalled()
  })
})
