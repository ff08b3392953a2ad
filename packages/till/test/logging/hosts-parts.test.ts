import { memoryStorage } from '@tillkit/storage/memory'
import { createTill, type Logger, loggerFor, type TillOptions } from '@tillkit/till'
import { readStatement } from '@tillkit/till/statement'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { receiver } from '../webhooks/receiver.ts'

const broken = () => {
  throw Object.create(null)
}
const rejecting = () => Promise.reject(new Error('the log is full'))
const logger = (call: () => unknown): Logger => ({ debug: call, info: call, warn: call, error: call })

const unhandled = vi.fn()
beforeEach(() => {
  process.on('unhandledRejection', unhandled)
})
afterEach(async () => {
  await new Promise(resolve => setImmediate(resolve))
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
})

/** A merchant's day: payments, an outcome each, webhooks delivered and failed, listeners that throw, a close. */
async function day(options: Partial<TillOptions>): Promise<unknown[]> {
  const hook = await receiver((response, _, count) => response.writeHead(count === 1 ? 200 : 500).end())
  const till = createTill({
    storage: memoryStorage(),
    ...options,
    webhooks: { allowHttp: true, allowPrivateAddresses: true, retryDelays: [], timeoutSeconds: 5 },
  })
  for (const event of ['delivered', 'attemptFailed', 'exhausted'] as const) {
    till.webhooks.on(event, broken)
    till.webhooks.on(event, () => Promise.reject(Object.create(null)))
  }
  await till.merchants.create({ id: 'shop', name: 'Shop', webhookUrl: hook.url })
  await till.merchants.issueWebhookKey('shop')
  const { code } = await till.scanCodes.create('shop')
  const { apiKey } = await till.apiKeys.issue('shop')
  const seen: unknown[] = [(await till.authenticate(apiKey))?.id]
  till.webhooks.start()
  for (const outcome of ['complete', 'fail'] as const) {
    const payment = await till.payments.start({ scanCode: code, totalAmount: 1 })
    seen.push((await till.payments[outcome](payment)).status)
    await till.webhooks.deliverDue()
  }
  await till.cashUps.create('shop')
  await till.payments.failStale({ olderThanSeconds: 0 })
  await till.close()
  seen.push((await till.webhooks.list('shop')).items.map(({ state }) => state))
  return seen
}

const WHOLE = ['shop', 'completed', 'error', ['exhausted', 'delivered']]

describe('nothing is harmed by', () => {
  beforeEach(() => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })

  test.each<[string, Logger]>([
    ['a logger that throws', logger(broken)],
    ['a logger that answers a promise which rejects', logger(rejecting)],
    [
      'a logger that answers an object which throws',
      logger(() => Object.defineProperty({}, 'then', { get: broken })),
    ],
  ])('%s, and what it did not take goes to stderr', async (_, given) => {
    const write = vi.mocked(process.stderr.write)
    expect(await day({ logger: given })).toEqual(WHOLE)
    await new Promise(resolve => setImmediate(resolve))
    expect(write.mock.calls.flat().join('')).toMatch(/WARN webhook keys are stored as they are/)
  })

  test('a clock that throws, always or now and then', async () => {
    expect(await day({ logger: false, clock: broken })).toEqual(WHOLE)
    let asked = 0
    const moody = () => (asked++ % 3 === 0 ? broken() : new Date())
    expect(await day({ logger: false, clock: moody })).toEqual(WHOLE)
  })

  test('a clock that answers a Date of a class of its own', async () => {
    class Elsewhere extends Date {
      override getTime() {
        return Number.NaN
      }
      override toISOString(): string {
        throw new Error('hands off')
      }
    }
    expect(await day({ logger: false, clock: () => new Elsewhere() })).toEqual(WHOLE)
  })
})

test('a clock that throws is warned of once until it works again', async () => {
  const lines: string[] = []
  const note = (_: object, message: string) => lines.push(message)
  let fails = true
  const till = createTill({
    storage: memoryStorage(),
    logger: { ...logger(() => {}), warn: note },
    clock: () => (fails ? broken() : new Date()),
  })
  for (const failing of [true, true, false, true, true]) {
    fails = failing
    await till.merchants.create({ name: 'Shop' })
  }
  expect(lines).toEqual(Array(2).fill("clock throws: the machine's time is taken"))
})

test.each([
  ['no date', () => new Date(Number.NaN)],
  ['a text', () => '2026-11-20T09:30:00Z' as never],
  ['a number', () => 0 as never],
  ['nothing', () => undefined as never],
  ['a promise that rejects', rejecting as never],
  ['what passes for one', () => Object.create(Date.prototype)],
  ['the year 12345', () => new Date(Date.UTC(12345, 0))],
])('a clock that answers %s is refused, by name', async (_, clock) => {
  const till = createTill({ storage: memoryStorage(), logger: false, clock })
  await expect(till.merchants.create({ name: 'Shop' })).rejects.toMatchObject({
    code: 'invalid_input',
    message: 'clock must return a valid Date of the years 0 to 9999',
  })
})

test('a promise of a host’s function that nobody waits for may reject', async () => {
  const hook = await receiver()
  const till = createTill({
    storage: memoryStorage(),
    logger: false,
    webhooks: { allowHttp: true, allowPrivateAddresses: true },
  })
  await till.merchants.create({ id: 'shop', name: 'Shop', webhookUrl: hook.url })
  const { code } = await till.scanCodes.create('shop')
  await till.payments.complete(await till.payments.start({ scanCode: code, totalAmount: 1 }))
  const since = '2026-01-01T00:00:00Z'
  expect(await till.webhooks.redeliverSince('shop', { since, onProgress: rejecting })).toBe(1)

  const columns = { merchantId: 1, paymentId: 2, amount: 3 }
  const rows = readStatement('shop,1,1\n', { columns, skip: rejecting as never })
  await expect(rows.next()).rejects.toThrow('skip must answer true or false, and not a promise of it')
})

describe('what is mounted on a till', () => {
  test('logs to the till’s logger unless it has one of its own', () => {
    const lines: string[] = []
    const note = (to: string) => logger(() => lines.push(to))
    const till = createTill({ storage: memoryStorage(), logger: note('till') })
    loggerFor(undefined, till).error({}, '')
    loggerFor(undefined, { ...till }).warn({}, '')
    loggerFor(note('own'), till).warn({}, '')
    loggerFor(false, till).error({}, '')
    loggerFor({ error: () => lines.push('half') }, till).error({}, '')
    loggerFor({ error: () => lines.push('half') }, till).warn({}, '')
    expect(lines).toEqual(['till', 'till', 'own', 'half'])
  })
})
