import { AsyncLocalStorage } from 'node:async_hooks'
import { execFile } from 'node:child_process'
import { tracingChannel } from 'node:diagnostics_channel'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { memoryStorage } from '@tillkit/storage/memory'
import { afterEach, expect, test } from 'vitest'
import { type AttemptMessage, createTill, type PaymentMessage } from '../src/index.ts'

const payments = tracingChannel<unknown, PaymentMessage>('tillkit:till.payment')
const attempts = tracingChannel<unknown, AttemptMessage>('tillkit:webhook.attempt')
const stops: (() => void)[] = []

afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** Hears one moment of a channel. */
function hear<Message>(
  channel: { subscribe(listener: (message: unknown) => void): void; unsubscribe(listener: unknown): unknown },
  listener: (message: Message) => void,
): void {
  channel.subscribe(listener as never)
  stops.push(() => channel.unsubscribe(listener))
}

async function shop() {
  const storage = memoryStorage()
  const webhooks = { allowHttp: true, allowPrivateAddresses: true }
  const till = createTill({ storage, webhooks, logger: QUIET })
  await till.merchants.create({ id: 'shop', name: 'Shop', webhookUrl: 'http://127.0.0.1:9/' })
  await till.scanCodes.create('shop', { code: 'counter' })
  const start = (more = {}) => till.payments.start({ scanCode: 'counter', totalAmount: 1250, ...more })
  return { till, storage, start }
}

const quiet = () => {}
const QUIET = { debug: quiet, info: quiet, warn: quiet, error: quiet }
const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

test('starts and outcomes are told of, with what came of them', async () => {
  const { till, start } = await shop()
  const told: unknown[] = []
  hear(payments.asyncEnd as never, ({ operation, merchantId, paymentId, result, error }: PaymentMessage) => {
    const { payment, ...how } = result ?? {}
    told.push([operation, merchantId, paymentId, payment?.status, how, (error as { code?: string })?.code])
  })
  const first = await start({ attemptKey: 'once' })
  await start({ attemptKey: 'once' })
  await till.payments.complete(first)
  await till.payments.complete(first)
  await till.payments.fail(first).catch(() => {})
  await till.payments.fail({ merchantId: 'shop', id: 9 }).catch(() => {})
  await till.payments.start({ scanCode: 'nobodys', totalAmount: 1 }).catch(() => {})
  await start()
  await till.payments.failStale({ olderThanSeconds: 0 })
  expect(told).toEqual([
    ['start', 'shop', undefined, 'pending', { created: true }, undefined],
    ['start', 'shop', undefined, 'pending', { created: false }, undefined],
    ['complete', 'shop', 1, 'completed', { changed: true }, undefined],
    ['complete', 'shop', 1, 'completed', { changed: false }, undefined],
    ['fail', 'shop', 1, 'completed', { changed: false }, undefined],
    ['fail', 'shop', 9, undefined, {}, 'not_found'],
    ['start', undefined, undefined, undefined, {}, 'not_found'],
    ['start', 'shop', undefined, 'pending', { created: true }, undefined],
    ['fail', 'shop', 2, 'error', { changed: true }, undefined],
  ])
})

test('what a listener writes as traceparent comes with each attempt', async () => {
  const { till, start } = await shop()
  const given: unknown[] = [TRACE, `${TRACE}\n`, 'nonsense', 7, TRACE.toUpperCase(), undefined]
  hear(payments.start as never, (message: PaymentMessage) => {
    if (message.operation !== 'start') message.traceparent = given[(message.paymentId ?? 0) - 1] as string
  })
  const told: unknown[] = []
  hear(
    attempts.asyncEnd as never,
    ({ paymentId, number, traceparent, attempt, state, result }: AttemptMessage) =>
      told.push([paymentId, number, traceparent, attempt?.error, state, result]),
  )
  for (const _ of given) await till.payments.complete(await start())
  await till.webhooks.deliverDue()
  told.sort()
  const failed = ['connection refused', 'pending', 'unanswered']
  expect(told).toEqual(given.map((one, n) => [n + 1, 1, one === TRACE ? TRACE : null, ...failed]))
  await till.close()
})

test('a start that strict mode refuses has its own trace', async () => {
  const { storage, start } = await shop()
  hear(payments.start as never, (message: PaymentMessage) => {
    message.traceparent = TRACE
  })
  await start({ strict: true, requiredAmount: 9999, merchantReference: 'order-1' })
  const lease = { now: '2099-01-01T00:00:00.000Z', leaseUntil: '2099-01-01T00:01:00.000Z', limit: 9 }
  const claimed = await storage.deliveries.claim(lease)
  expect(claimed.map(({ traceparent }) => traceparent)).toEqual([TRACE])
})

test('a payment is recorded within what a listener says, and once whatever it does', async () => {
  const { storage, start } = await shop()
  const around = new AsyncLocalStorage<string>()
  const seen: unknown[] = []
  const { start: record } = storage.payments
  storage.payments.start = (...given) => {
    seen.push(around.getStore())
    return record.apply(storage.payments, given)
  }
  const ways: PaymentMessage['within'][] = [
    work => around.run('within', work),
    work => [work(), work()],
    () => {},
    'nonsense' as never,
  ]
  hear(payments.start as never, (message: PaymentMessage) => {
    message.within = ways.shift()
  })
  expect([await start(), await start(), await start(), await start()].map(({ id }) => id)).toEqual([
    1, 2, 3, 4,
  ])
  expect(seen).toEqual(['within', undefined, undefined, undefined])
})

test('what was delivered late is told of as delivered', async () => {
  const { till, start } = await shop()
  const receiver = createServer((request, response) => {
    request.resume()
    setTimeout(() => response.end(), 2100)
  })
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
  const { port } = receiver.address() as AddressInfo
  await till.merchants.update('shop', { webhookUrl: `http://127.0.0.1:${port}/` })
  const told: unknown[] = []
  hear(attempts.asyncEnd as never, ({ state, result }: AttemptMessage) => told.push([state, result]))
  await till.payments.complete(await start())
  await till.webhooks.deliverDue()
  expect(told).toEqual([['delivered', 'delivered']])
  await till.close()
  receiver.close()
})

test('listeners that throw reach no caller', async () => {
  const program = join(import.meta.dirname, 'programs/throwing-listeners.ts')
  const args = ['--conditions=@tillkit/source', program]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(stdout).toBe('completed\nreported: a listener threw\n')
})
