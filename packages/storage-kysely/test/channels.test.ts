import { AsyncLocalStorage } from 'node:async_hooks'
import { type TracingChannel, tracingChannel } from 'node:diagnostics_channel'
import {
  type ConnectionMessage,
  connectionChannel,
  type StatementMessage,
  statementChannel,
  type TurnMessage,
  turnChannel,
} from '@tillkit/storage/channels'
import { afterEach, expect, test } from 'vitest'
import { inAShop } from './engines/in-a-shop.ts'
import { overEveryEngine, overEveryServer } from './engines/index.ts'
import { ALL, attempt, merchantId, NOW, openShop, startedCompleted } from './faults/shop.ts'

const stops: (() => void)[] = []

afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** Hears a moment of a tracing channel until the test is over. */
function hear<Message>(
  channel: { subscribe: unknown; unsubscribe: unknown },
  listener: (message: Message) => void,
) {
  const { subscribe, unsubscribe } = channel as Record<string, (listener: unknown) => void>
  subscribe?.call(channel, listener)
  stops.push(() => unsubscribe?.call(channel, listener))
}

const completed = { status: 'completed' } as const
const TRACE = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`

overEveryEngine(({ create }) => {
  const shop = inAShop(create)

  test('statements are told of by what they do, and no value of theirs is', async () => {
    const told: StatementMessage[] = []
    hear<StatementMessage>(statementChannel.asyncEnd, message => told.push(message))
    const { payment } = await shop.storage.payments.start(
      attempt({ merchantReference: 'order-4711', strict: true, requiredAmount: 4711, totalAmount: 4711 }),
      NOW,
      TRACE,
    )
    await shop.storage.payments.resolve(payment, completed, NOW, TRACE)
    await shop.storage.payments.list(merchantId, { merchantReference: 'order-4711' }, ALL)
    await shop.storage.deliveries.claim({ now: NOW, leaseUntil: NOW, limit: 10 })
    const names = new Set(told.map(({ name }) => name))
    for (const name of names)
      expect(name).toMatch(/^((SELECT|INSERT|UPDATE|DELETE) [a-z_]+ ?)+$|^(BEGIN|COMMIT)$/)
    expect([...names].some(name => /INSERT tillkit_payments/.test(name))).toBe(true)
    expect([...names].some(name => /UPDATE tillkit_deliveries/.test(name))).toBe(true)
    expect([...names]).toContain('SELECT tillkit_payments')
    expect([...names].filter(name => /4711|shop|abab/.test(name))).toEqual([])
    expect(new Set(told.map(({ system }) => system)).size).toBe(1)
  })

  test('a statement is sent in the context of its own caller, whatever it shares a transaction with', async () => {
    const caller = new AsyncLocalStorage<string>()
    const told = new Map<string, number>()
    hear<StatementMessage>(statementChannel.start, ({ name }) => {
      const whose = caller.getStore() ?? 'nobody'
      if (/UPDATE tillkit_payments/.test(name)) told.set(whose, (told.get(whose) ?? 0) + 1)
    })
    const others = ['other-1', 'other-2', 'other-3', 'other-4']
    for (const id of others) {
      const features = { tips: false, userReferences: false, deviceLists: false }
      await shop.storage.merchants.create({
        id,
        name: id,
        webhookUrl: null,
        features,
        createdAt: NOW,
      })
    }
    const started = await Promise.all(
      others.map(id => shop.storage.payments.start(attempt({ merchantId: id }), NOW)),
    )
    await Promise.all(
      started.map(({ payment }) =>
        caller.run(payment.merchantId, () => shop.storage.payments.resolve(payment, completed, NOW)),
      ),
    )
    expect([...told.keys()].sort()).toEqual(others)
  })

  test('a statement is told of as tracePromise tells, in the stores that are bound to its start', async () => {
    const moments = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'] as const
    const [own, other] = [tracingChannel('test:own'), statementChannel] as [TracingChannel, TracingChannel]
    const heard = new Map<unknown, { channel: TracingChannel; told: string[] }>()
    const store = new AsyncLocalStorage<unknown>()
    for (const channel of [own, other]) {
      channel.start.bindStore(store as never, message => message as never)
      stops.push(() => void channel.start.unbindStore(store as never))
      for (const moment of moments) {
        hear(channel[moment], message => {
          const { told } = heard.get(message) ?? { told: [] }
          heard.set(message, { channel, told: [...told, moment] })
          if (moment === 'start') expect(store.getStore()).toBe(message)
        })
      }
    }
    const failure = new Error('as expected')
    await own.tracePromise(async () => 1, {})
    await own.tracePromise(() => Promise.reject(failure), {}).catch(() => {})
    const { payment } = await shop.storage.payments.start(attempt({}), NOW)
    expect(await shop.storage.payments.get(payment)).toEqual(payment)
    await expect(openShop(shop.storage)).rejects.toThrow('shop')

    const sequences = (of: TracingChannel) =>
      new Set([...heard.values()].filter(({ channel }) => channel === of).map(({ told }) => told.join()))
    expect(sequences(own).size).toBe(2)
    expect(sequences(other)).toEqual(sequences(own))
    expect(store.getStore()).toBeUndefined()
  })

  test('what fails is told of, with its error', async () => {
    const told: unknown[] = []
    hear<StatementMessage>(statementChannel.error, ({ error }) => told.push(error))
    await expect(openShop(shop.storage)).rejects.toThrow('shop')
    expect(told.length).toBeGreaterThan(0)
  })
})

overEveryServer(({ create }) => {
  const shop = inAShop(create)

  test('a pool says how many of its connections are used, and all are back in the end', async () => {
    let most = 0
    let pool: ConnectionMessage['pool'] | undefined
    hear<ConnectionMessage>(connectionChannel.start, message => {
      if (message.pool.name === 'tillkit') pool = message.pool
    })
    hear<StatementMessage>(statementChannel.start, () => {
      most = Math.max(most, pool?.used ?? 0)
    })
    await Promise.all(Array.from({ length: 30 }, () => shop.storage.merchants.get(merchantId)))
    await startedCompleted(shop.storage, 2)
    await shop.storage.transaction(inside => inside.payments.start(attempt(), NOW))
    await expect(
      shop.storage.transaction(async () => {
        throw new Error('undone')
      }),
    ).rejects.toThrow('undone')
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThanOrEqual(pool?.max ?? 0)
    expect([pool?.used, pool?.pending]).toEqual([0, 0])
    if (pool?.system === 'postgresql') expect(pool.idle).toBeGreaterThan(0)
    else expect(pool?.idle).toBeUndefined()
  })

  test('writes that wait for their merchant’s turn are told of', async () => {
    const told: TurnMessage[] = []
    hear<TurnMessage>(turnChannel.asyncEnd, message => told.push(message))
    const strict = { strict: true, requiredAmount: 1, totalAmount: 1 }
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        shop.storage.payments.start(attempt({ ...strict, merchantReference: `order-${n}` }), NOW),
      ),
    )
    expect(told.length).toBeGreaterThan(0)
    expect(new Set(told.map(one => [one.merchantId, one.locks, one.error].join(' ')))).toEqual(
      new Set(['shop merchant ']),
    )
  })
})
