import { createSandbox } from '@tillkit/sandbox'
import { createTill } from '@tillkit/till'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addShop, type Shop, told } from './scene.ts'
import { everywhere } from './storages.ts'

type Step = ['GET' | 'POST', string, unknown?]

const amount = fc.nat(1000)
const text = fc.constantFrom('a', 'ü', '', '__proto__')
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: payments() },
  fc.tuple(fc.constant('POST' as const), fc.constant('/cash_ups')),
  fc.tuple(fc.constant('POST' as const), fc.constant('/sandbox/scan_codes')),
  fc
    .integer({ min: 1, max: 90 })
    .map((advanceSeconds): Step => ['POST', '/sandbox/clock', { advanceSeconds }]),
  fc
    .tuple(fc.integer({ min: 1, max: 5 }), fc.constantFrom('completed', 'error'))
    .map(([id, outcome]): Step => ['POST', `/sandbox/payments/${id}/outcome`, { outcome }]),
)

function payments(): fc.Arbitrary<Step> {
  const payment = fc.record(
    {
      totalAmount: amount,
      tipAmount: amount,
      requiredAmount: amount,
      merchantReference: text,
      strict: fc.boolean(),
      extra: fc.dictionary(text, text),
      outcome: fc.constantFrom('completed', 'error', 'pending'),
      delaySeconds: fc.constantFrom(0, 30, 60),
    },
    { requiredKeys: ['totalAmount'] },
  )
  return payment.map(body => ['POST', '/sandbox/payments', body])
}

async function play(shop: Shop, steps: Step[]): Promise<string[]> {
  const answers: string[] = []
  for (const [method, path, body] of steps) {
    const { status, body: answer } = method === 'GET' ? await shop.get(path) : await shop.post(path, body)
    answers.push(`${status} ${answer}`)
  }
  for (const path of ['/payments?perPage=100', '/cash_ups', '/sandbox/scan_codes', '/sandbox/clock']) {
    answers.push(String((await shop.get(path)).body))
  }
  return answers
}

everywhere(({ live: openLive, test: openTest, lasts }) => {
  test('the same seed and requests give the same bytes: anew, after a reset, and for another merchant', async () => {
    const name = `seeded_${process.pid}`
    const live = createTill({ storage: await openLive(name), logger: false })
    const storage = await openTest(name)
    const options = { storage, rememberSeconds: 60, maxResets: 100_000, api: { rateLimits: false as const } }
    const sandbox = createSandbox(live, options)
    const { shop: coffee } = await addShop(live, sandbox, 'coffee')
    const { shop: books } = await addShop(live, sandbox, 'books')
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.constantFrom('a', 'b'), async (steps, seed) => {
        await coffee.post('/sandbox/reset', { seed })
        await books.post('/sandbox/reset', { seed })
        const first = await play(coffee, steps)
        expect(await play(books, steps)).toEqual(first)
        await coffee.post('/sandbox/reset')
        expect(await play(coffee, steps)).toEqual(first)
      }),
      { numRuns: lasts ? 5 : 25 },
    )
    await sandbox.close()
    await live.close()
  })

  test('another seed gives other codes and references', async () => {
    const name = `other_${process.pid}`
    const live = createTill({ storage: await openLive(name), logger: false })
    const sandbox = createSandbox(live, { storage: await openTest(name) })
    const { shop } = await addShop(live, sandbox, 'coffee')
    const steps: Step[] = [
      ['POST', '/sandbox/payments', { totalAmount: 1, requiredAmount: 1, merchantReference: 'a' }],
      ['POST', '/cash_ups'],
    ]
    const [payment = '', cashUp = ''] = await play(shop, steps)
    await shop.post('/sandbox/reset', { seed: 'another' })
    const [otherPayment = '', otherCashUp = ''] = await play(shop, steps)
    expect(otherPayment).not.toBe(payment)
    expect(otherCashUp).not.toBe(cashUp)
    await sandbox.close()
    await live.close()
  })

  if (!lasts) return
  test('a ledger outlives its process: keys, payments, clock, plans and what comes next', async () => {
    const name = `lasting_${process.pid}`
    const liveStorage = await openLive(name)
    const live = createTill({ storage: liveStorage, logger: false })
    const process1 = createSandbox(live, { storage: await openTest(name) })
    const { shop, testKey } = await addShop(live, process1, 'coffee')
    await shop.post('/sandbox/clock', { advanceSeconds: 5 })
    await shop.post('/sandbox/payments', { totalAmount: 1, delaySeconds: 60 })
    await process1.close()

    const process2 = createSandbox(live, { storage: await openTest(name) })
    const { shopOf } = await import('./scene.ts')
    const again = shopOf(process2.handler, testKey)
    expect(told(await again.get('/payments')).json).toMatchObject([{ id: 1, status: 'pending' }])
    expect(told(await again.post('/sandbox/clock', { advanceSeconds: 60 })).json.now).toBe(
      '2026-01-01T00:01:05Z',
    )
    expect(told(await again.get('/payments/1')).json.status).toBe('completed')
    await process2.close()
    await live.close()
  })
})
