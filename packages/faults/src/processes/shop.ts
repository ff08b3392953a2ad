import { setTimeout as sleep } from 'node:timers/promises'
import type { Payment } from '@tillkit/domain'
import { createTill, TillError } from '@tillkit/till'
import { type Address, storageAt } from '../engines/address.ts'
import { MARK } from '../journal/mark.ts'
import { refusalOf } from '../journal/refusal.ts'
import { type Random, randomFrom } from '../random.ts'
import { heapSamples } from './heap-samples.ts'
import { type Orders, program } from './program.ts'

/** Starts, completes and fails payments, settles them and ends periods, in several lanes at once. */
export interface ShopOrders extends Orders {
  address: Address
  /** Its own among the shops: the names of its attempts begin with it. */
  name: string
  merchants: { id: string; scanCode: string }[]
  lanes: number
  /** Milliseconds between two calls of a lane, at most. */
  pause: number
  /** After how many calls it writes down its heap; null for never. */
  sampleEvery: number | null
}

const { orders, journal, logger, stopping, ready, end } = program<ShopOrders>()
const { address, name, merchants, lanes, pause, seed, sampleEvery } = orders
const storage = storageAt(address)
const till = createTill({ storage, logger })
/** What this process knows of, the newest last. */
const known: Payment[] = []
const completed: Payment[] = []
const sample = heapSamples(journal, name, sampleEvery)
let attempts = 0
let statements = 0

/** What throws may have been done or not: it is written down, and asked for again only where that is safe. */
async function call<Answer>(what: string, ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof TillError)) journal.write({ what: 'refused', call: what, ...refusalOf(error) })
    else if (error.code !== 'conflict') throw error
    return undefined
  }
}

async function start(random: Random): Promise<void> {
  const { id: merchantId, scanCode } = random.pick(merchants)
  const attempt = `${name}-${++attempts}`
  const keyed = random.chance(0.6)
  const strict = random.chance(0.3)
  const totalAmount = random.whole(0, 10_000)
  journal.write({ what: 'asked', attempt, keyed, merchantId, totalAmount })
  for (let tries = 0; tries < (keyed ? 5 : 1); tries++) {
    const answer = await call('start', () =>
      till.payments.startOnce({
        ...{ scanCode, totalAmount, strict },
        merchantReference: `order-${random.whole(1, 200)}`,
        ...(strict && { requiredAmount: random.chance(0.9) ? totalAmount : totalAmount + 1 }),
        extra: { attempt, text: MARK },
        attemptKey: keyed ? attempt : null,
      }),
    )
    if (answer) {
      journal.write({ what: 'started', attempt, ...answer })
      known.push(answer.payment)
      if (known.length > 50) known.shift()
      return
    }
    await sleep(random.whole(0, 50))
  }
}

async function resolve(random: Random): Promise<void> {
  const payment = known.length > 0 ? random.pick(known.slice(-10)) : undefined
  if (!payment) return
  const wanted = random.chance(0.7) ? ('completed' as const) : ('error' as const)
  // Also one that another process started.
  const key = { merchantId: payment.merchantId, id: Math.max(1, payment.id - random.whole(0, 2)) }
  try {
    const resolved = await (wanted === 'completed'
      ? till.payments.complete(key)
      : till.payments.fail(key, { failure: `${MARK} by ${name}` }))
    journal.write({ what: 'resolved', payment: resolved })
    if (wanted === 'completed') completed.push(resolved)
    if (completed.length > 20) completed.shift()
  } catch (error) {
    if (error instanceof TillError && error.code === 'conflict') {
      journal.write({ what: 'conflict', wanted, ...key })
    } else {
      journal.write({ what: 'refused', call: 'resolve', ...refusalOf(error) })
    }
  }
}

async function cashUp(random: Random): Promise<void> {
  const { id: merchantId } = random.pick(merchants)
  const idempotencyKey = random.chance(0.5) ? `evening-${random.whole(1, 20)}` : null
  const made = await call('cashUp', () => till.cashUps.create(merchantId, { idempotencyKey }))
  if (made) journal.write({ what: 'cashedUp', merchantId, idempotencyKey, cashUp: made })
}

async function settle(random: Random): Promise<void> {
  const one = completed.length > 0 ? random.pick(completed) : undefined
  if (!one) return
  const { merchantId } = one
  const own = completed.filter(payment => payment.merchantId === merchantId).slice(0, random.whole(1, 5))
  const settlement = {
    statementReference: `${name}-${++statements}`,
    paymentIds: [...new Set(own.map(({ id }) => id))],
  }
  const settled = await call('settle', () => till.payments.settle(merchantId, settlement).then(() => true))
  if (settled) journal.write({ what: 'settled', merchantId, ...settlement })
}

async function look(random: Random): Promise<void> {
  const { id } = random.pick(merchants)
  await call('list', () => till.payments.list(id, { filter: { status: ['completed'] }, perPage: 20 }))
}

async function lane(number: number): Promise<void> {
  const random = randomFrom(seed * 100 + number)
  while (!stopping.aborted) {
    await start(random)
    await resolve(random)
    if (random.chance(0.3)) await resolve(random)
    if (random.chance(0.1)) await cashUp(random)
    if (random.chance(0.1)) await settle(random)
    if (random.chance(0.1)) await look(random)
    sample()
    await sleep(random.whole(0, pause))
  }
}

ready()
await Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)))
await till.close()
await storage.close()
end()
