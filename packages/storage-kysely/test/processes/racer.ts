import { randomBytes } from 'node:crypto'
import type { Outcome, Payment } from '@tillkit/domain'
import { type Address, storageAt } from '../engines/address.ts'
import { journal } from './acknowledged.ts'

/** What a racer is told. */
export interface Race {
  address: Address
  merchantId: string
  /** Where it writes down what was acknowledged. */
  file: string
  /** How many rounds it does; one that is to be killed goes on for ever. */
  rounds: number | null
}

const LANES = 4
// One that goes on for ever does not outlive the test.
process.once('disconnect', () => process.exit())
const { address, merchantId, file, rounds } = JSON.parse(process.argv[2] ?? '') as Race
const storage = storageAt(address)
const acknowledged = journal(file)
const known: Payment[] = []

const chance = (probability: number) => Math.random() < probability
const oneOf = (count: number) => Math.floor(Math.random() * count)
// Clocks of several machines differ by seconds.
const now = () => new Date(Date.now() + oneOf(5000) - 2500).toISOString()

async function start(): Promise<void> {
  const attemptKey = chance(0.3) ? `attempt-${oneOf(40)}` : null
  const started = await storage.payments.start(
    {
      merchantId,
      totalAmount: oneOf(10_000),
      tipAmount: null,
      scanCode: 'till-1',
      scanCodeReference: null,
      userReference: null,
      isVoucher: false,
      isVoucherRedemption: false,
      requiredAmount: null,
      merchantReference: `order-${oneOf(25)}`,
      authCode: null,
      deviceSerialNumber: null,
      strict: chance(0.5),
      extra: { process: `${process.pid}` },
      attemptKey,
    },
    now(),
  )
  acknowledged.write({ call: 'start', attemptKey, ...started })
  known.push(started.payment)
}

async function resolve(): Promise<void> {
  const last = known.at(-1)?.id ?? 1
  const id = Math.max(1, last - oneOf(12))
  const outcome: Outcome = chance(0.5)
    ? { status: 'completed' }
    : { status: 'error', failure: `${process.pid}` }
  const resolved = await storage.payments.resolve({ merchantId, id }, outcome, now())
  if (resolved) acknowledged.write({ call: 'resolve', ...resolved })
}

async function cashUp(): Promise<void> {
  const idempotencyKey = chance(0.3) ? `evening-${oneOf(5)}` : null
  const reference = randomBytes(16).toString('hex')
  const made = await storage.cashUps.create(merchantId, { reference, idempotencyKey, now: now() })
  acknowledged.write({ call: 'cashUp', idempotencyKey, cashUp: made })
}

async function lane(): Promise<void> {
  for (let round = 0; rounds === null || round < rounds; round++) {
    await start()
    await resolve()
    if (chance(0.1)) await cashUp()
    if (chance(0.1))
      await storage.payments.list(merchantId, { status: ['completed'] }, { skip: 0, limit: 20 })
  }
}

await Promise.all(Array.from({ length: LANES }, lane))
await storage.close()
acknowledged.close()
process.disconnect?.()
