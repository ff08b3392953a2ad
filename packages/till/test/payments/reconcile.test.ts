import { memoryStorage } from '@tillkit/storage/memory'
import type { LookupAnswer, Payment } from '@tillkit/till'
import { describe, expect, test } from 'vitest'
import { collected } from '../logging/collected.ts'
import { refusal, tillOf } from '../till-of.ts'

const NONE = { completed: 0, failed: 0, pending: 0, unknown: 0, errors: 0 }
const ALL = { olderThanSeconds: 0 }
const done = async (): Promise<LookupAnswer> => ({ status: 'completed' })
const never = () => new Promise<never>(() => {})

/** A till with `count` pending payments, and what is logged. */
async function pending(count: number, storage = memoryStorage()) {
  const { logger, lines } = collected()
  const scene = await tillOf({ storage, logger })
  await scene.till.merchants.update('shop', { webhookUrl: 'https://shop.example/hook' })
  for (let n = 0; n < count; n++) await scene.pay({ extra: { n: String(n + 1) } })
  const statuses = async () =>
    (await scene.till.payments.list('shop', { perPage: 100 })).items.map(({ status }) => status).reverse()
  return { ...scene, lines, statuses }
}

describe('reconcile', () => {
  test('records what the lookup knows, webhooks included, and leaves the rest pending', async () => {
    const { till, statuses, pay } = await pending(5)
    const [settled] = [await pay()]
    await till.payments.complete(settled)
    const asked: Payment[] = []
    const answers: LookupAnswer[] = [
      { status: 'completed' },
      { status: 'error', failure: 'declined' },
      { status: 'pending' },
      { status: 'unknown' },
      { status: 'error' },
    ]
    const lookup = (payment: Payment) => {
      asked.push(payment)
      return answers[payment.id - 1] as LookupAnswer
    }
    expect(await till.payments.reconcile(lookup, ALL)).toEqual({
      ...{ completed: 1, failed: 2, pending: 1, unknown: 1, errors: 0 },
    })
    expect(asked.map(({ id, merchantId, extra }) => [merchantId, id, extra.n])).toEqual(
      [1, 2, 3, 4, 5].map(n => ['shop', n, `${n}`]),
    )
    expect(await statuses()).toEqual(['completed', 'error', 'pending', 'pending', 'error', 'completed'])
    expect(await till.payments.get('shop', 2)).toMatchObject({ failure: 'declined' })
    expect((await till.webhooks.list('shop')).items.map(({ paymentId }) => paymentId)).toEqual([6, 5, 2, 1])
    expect(await till.payments.reconcile(done, ALL)).toEqual({ ...NONE, completed: 2 })
    expect(await till.payments.reconcile(done, ALL)).toEqual(NONE)
  })

  test('a customer who was sent elsewhere is pending, and their payment is left as it is', async () => {
    const { till, statuses } = await pending(2)
    const steps = [
      { status: 'redirect', url: 'https://bank.example/confirm' },
      { status: 'action', url: 'https://acs.example/', fields: { md: '1' } },
    ] as const
    const lookup = ({ id }: Payment): LookupAnswer => steps[id - 1] ?? { status: 'unknown' }
    expect(await till.payments.reconcile(lookup, ALL)).toEqual({ ...NONE, pending: 2 })
    expect(await statuses()).toEqual(['pending', 'pending'])
  })

  test('asks about what has been pending for longer, and nothing else', async () => {
    const { till, clock, pay } = await pending(2)
    clock.now = new Date('2026-11-20T09:40:00Z')
    await pay()
    expect(await till.payments.reconcile(done, { olderThanSeconds: 300 })).toEqual({ ...NONE, completed: 2 })
    expect(await till.payments.get('shop', 3)).toMatchObject({ status: 'pending' })
  })

  test('goes on after a lookup that throws, rejects, or answers what it may not, and says so', async () => {
    const nonsense: unknown[] = [
      undefined,
      null,
      'completed',
      {},
      { status: 'failed' },
      { status: 'COMPLETED' },
      { status: ['completed'] },
      { Status: 'completed' },
      true,
      Object.defineProperty({}, 'status', {
        get() {
          throw new Error('hands off')
        },
      }),
    ]
    const { till, lines, statuses } = await pending(nonsense.length + 3)
    const lookup = ({ id }: Payment) => {
      if (id === 1) throw new Error('the processor is away')
      if (id === 2) return Promise.reject(Object.create(null))
      return id - 3 < nonsense.length ? (nonsense[id - 3] as LookupAnswer) : done()
    }
    const errors = nonsense.length + 2
    expect(await till.payments.reconcile(lookup, ALL)).toEqual({ ...NONE, completed: 1, errors })
    expect(await statuses()).toEqual([...Array(errors).fill('pending'), 'completed'])
    expect(lines.map(([level, , message]) => [level, message])).toEqual(
      Array(errors).fill(['warn', 'the lookup of a payment failed']),
    )
    expect(lines[0]?.[1]).toEqual({ merchantId: 'shop', paymentId: 1, error: 'the processor is away' })
  })

  test('waits for no lookup for ever, and tells it that nobody waits', async () => {
    const { till, lines } = await pending(3)
    const told: boolean[] = []
    const lookup = async ({ id }: Payment, { signal }: { signal: AbortSignal }) => {
      if (id === 2) return done()
      signal.addEventListener('abort', () => told.push(true))
      return never()
    }
    const options = { ...ALL, timeoutSeconds: 0.01, concurrency: 1 }
    expect(await till.payments.reconcile(lookup, options)).toEqual({ ...NONE, completed: 1, errors: 2 })
    expect(told).toEqual([true, true])
    expect(lines[0]?.[1]).toMatchObject({ error: 'lookup did not answer within 0.01 s' })
  })

  test('goes on when the storage fails for one', async () => {
    const storage = memoryStorage()
    const { resolve } = storage.payments
    storage.payments.resolve = async (key, ...rest) => {
      if (key.id === 2) throw new Error('the database is away')
      return resolve(key, ...rest)
    }
    const { till, lines, statuses } = await pending(3, storage)
    expect(await till.payments.reconcile(done, ALL)).toEqual({ ...NONE, completed: 2, errors: 1 })
    expect(await statuses()).toEqual(['completed', 'pending', 'completed'])
    expect(lines).toEqual([
      [
        'error',
        { merchantId: 'shop', paymentId: 2, error: 'the database is away' },
        'the outcome of a payment was not recorded',
      ],
    ])
    storage.payments.resolve = resolve
    expect(await till.payments.reconcile(done, ALL)).toEqual({ ...NONE, completed: 1 })
  })

  test('counts and logs what was recorded otherwise meanwhile; the same is nobody’s error', async () => {
    const { till, lines, statuses } = await pending(2)
    const lookup = async (payment: Payment) => {
      await (payment.id === 1 ? till.payments.fail(payment) : till.payments.complete(payment))
      return { status: 'completed' as const }
    }
    expect(await till.payments.reconcile(lookup, ALL)).toEqual({ ...NONE, errors: 1 })
    expect(await statuses()).toEqual(['error', 'completed'])
    expect(lines).toEqual([
      [
        'error',
        { merchantId: 'shop', paymentId: 1, recorded: 'error', answered: 'completed' },
        'another outcome than the processor’s was recorded',
      ],
    ])
  })

  test('a failure of any kind is recorded', async () => {
    const { till, lines } = await pending(2)
    const failure = (id: number) => (id === 1 ? { code: 51 } : 'x'.repeat(300))
    const lookup = ({ id }: Payment) => ({ status: 'error', failure: failure(id), raw: {} }) as never
    expect(await till.payments.reconcile(lookup, ALL)).toEqual({ ...NONE, failed: 2 })
    expect(await till.payments.get('shop', 1)).toMatchObject({ status: 'error', failure: null })
    expect(await till.payments.get('shop', 2)).toMatchObject({ failure: 'x'.repeat(255) })
    expect(lines.length).toBe(2)
  })

  test('a failure that cannot be read takes nothing from the outcome', async () => {
    const { till } = await pending(1)
    const lookup = () => ({
      status: 'error' as const,
      get failure(): string {
        throw new Error('hands off')
      },
    })
    expect(await till.payments.reconcile(lookup, ALL)).toEqual({ ...NONE, failed: 1 })
    expect(await till.payments.get('shop', 1)).toMatchObject({ status: 'error', failure: null })
  })

  test('what a lookup does to the payment that it is handed changes nothing', async () => {
    const { till } = await pending(2)
    const lookup = (payment: Payment) => {
      Object.assign(payment, { id: 2, merchantId: 'other', status: 'error' })
      return { status: 'completed' as const }
    }
    expect(await till.payments.reconcile(lookup, ALL)).toEqual({ ...NONE, completed: 2 })
  })

  test('several at once record, and count, each outcome once', async () => {
    const { till, statuses } = await pending(60)
    const slowly = async () => {
      await new Promise(resolve => setImmediate(resolve))
      return done()
    }
    const runs = await Promise.all([1, 2, 3].map(() => till.payments.reconcile(slowly, ALL)))
    expect(runs.reduce((sum, { completed }) => sum + completed, 0)).toBe(60)
    expect(runs.map(({ errors }) => errors)).toEqual([0, 0, 0])
    expect(new Set(await statuses())).toEqual(new Set(['completed']))
    expect((await till.webhooks.list('shop')).total).toBe(60)
  })

  test('no more lookups are under way than it was told', async () => {
    const { till } = await pending(30)
    let [underWay, most] = [0, 0]
    const lookup = async () => {
      most = Math.max(most, ++underWay)
      await new Promise(resolve => setImmediate(resolve))
      underWay -= 1
      return { status: 'pending' as const }
    }
    for (const concurrency of [1, 5, 100]) {
      most = 0
      expect(await till.payments.reconcile(lookup, { ...ALL, concurrency })).toEqual({ ...NONE, pending: 30 })
      expect(most).toBe(Math.min(concurrency, 30))
    }
  })

  test('however many stay pending, each is asked about once and few are held', async () => {
    const storage = memoryStorage()
    const { pendingSince } = storage.payments
    const limits: number[] = []
    storage.payments.pendingSince = range => {
      limits.push(range.limit)
      return pendingSince(range)
    }
    const { till } = await pending(1050, storage)
    expect(await till.payments.reconcile(() => ({ status: 'pending' }), ALL)).toEqual({
      ...NONE,
      pending: 1050,
    })
    expect(Math.max(...limits)).toBe(100)
    expect(limits.length).toBe(11)
  })

  test('a signal ends it: what was answered is recorded, what was not is left', async () => {
    const { till, statuses, lines } = await pending(20)
    const controller = new AbortController()
    const lookup = ({ id }: Payment) => {
      if (id === 5) controller.abort()
      return id < 5 ? done() : never()
    }
    const options = { ...ALL, concurrency: 2, signal: controller.signal }
    const counts = await till.payments.reconcile(lookup, options)
    expect(counts).toEqual({ ...NONE, completed: 4 })
    expect((await statuses()).filter(status => status === 'pending')).toHaveLength(16)
    expect(lines).toEqual([])
    expect(await till.payments.reconcile(done, options)).toEqual(NONE)
  })

  test('when the storage cannot be read it rejects, after what is under way', async () => {
    const storage = memoryStorage()
    const { pendingSince } = storage.payments
    let reads = 0
    storage.payments.pendingSince = async range => {
      if (++reads === 2) throw new Error('the database is away')
      return pendingSince(range)
    }
    const { till } = await pending(150, storage)
    let answered = 0
    const lookup = async () => {
      await new Promise(resolve => setImmediate(resolve))
      answered += 1
      return { status: 'completed' as const }
    }
    await expect(till.payments.reconcile(lookup, ALL)).rejects.toThrow('the database is away')
    expect(answered).toBe(100)
    expect(await till.payments.reconcile(done, ALL)).toEqual({ ...NONE, completed: 50 })
  })

  test('a million failures are not a million lines', async () => {
    const { till, lines } = await pending(120)
    const lookup = () => Promise.reject(new Error('the processor is away'))
    expect(await till.payments.reconcile(lookup, ALL)).toEqual({ ...NONE, errors: 120 })
    expect(lines.length).toBe(21)
    expect(lines.at(-1)).toEqual(['error', { failures: 120 }, 'reconcile failed for more than are logged'])
  })

  test('failures that are all logged are not summed up', async () => {
    const { till, lines } = await pending(20)
    const lookup = () => Promise.reject(new Error('the processor is away'))
    expect(await till.payments.reconcile(lookup, ALL)).toEqual({ ...NONE, errors: 20 })
    expect(lines.map(([level]) => level)).toEqual(Array(20).fill('warn'))
  })

  test('what is wrong is named', async () => {
    const { till } = await pending(0)
    const cases: [unknown, unknown, RegExp][] = [
      [undefined, ALL, /^invalid_input: lookup must be a function/],
      [{ lookup: done }, ALL, /^invalid_input: lookup must be a function/],
      [done, undefined, /^invalid_input: the options of reconcile must be an object/],
      [done, {}, /olderThanSeconds must be a number/],
      [done, { olderThanSeconds: '60' }, /olderThanSeconds must be a number/],
      [done, { ...ALL, concurrency: 0 }, /concurrency must be an integer from 1 to 100/],
      [done, { ...ALL, concurrency: 1.5 }, /concurrency must be an integer from 1 to 100/],
      [
        done,
        { ...ALL, concurrency: Number.POSITIVE_INFINITY },
        /concurrency must be an integer from 1 to 100/,
      ],
      [done, { ...ALL, timeoutSeconds: 0 }, /timeoutSeconds must be a number of seconds above 0/],
      [done, { ...ALL, signal: {} }, /signal must be an AbortSignal/],
      [done, { ...ALL, lookups: 1 }, /lookups is not a known name/],
    ]
    for (const [lookup, options, message] of cases) {
      expect(await refusal(till.payments.reconcile(lookup as never, options as never))).toMatch(message)
    }
  })
})

describe('failStale', () => {
  test('goes on after one that cannot be failed, and comes to an end', async () => {
    const storage = memoryStorage()
    const { resolve } = storage.payments
    storage.payments.resolve = async (key, ...rest) => {
      if (key.id % 100 === 1) throw new Error('the row is locked')
      return resolve(key, ...rest)
    }
    const { till, lines } = await pending(250, storage)
    expect(await till.payments.failStale(ALL)).toBe(247)
    expect(lines.map(([level, fields]) => [level, fields])).toEqual(
      [1, 101, 201].map(paymentId => [
        'error',
        { merchantId: 'shop', paymentId, error: 'the row is locked' },
      ]),
    )
    storage.payments.resolve = resolve
    expect(await till.payments.failStale(ALL)).toBe(3)
  })

  test('several at once fail each payment once', async () => {
    const { till } = await pending(150)
    const counts = await Promise.all([1, 2, 3].map(() => till.payments.failStale(ALL)))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(150)
  })
})
