import { after, type Instant, instant, type Merchant, type NewScanCode, type ScanCode } from '@tillkit/domain'
import type { Storage } from '@tillkit/storage'
import {
  createTill,
  type Payment,
  type Secrets,
  type StartPayment,
  type Till,
  TillError,
} from '@tillkit/till'
import { type LedgerName, shownId, storedId } from '../names.ts'
import type { SandboxWebhooks } from '../options.ts'
import { type Plan, planOf, type WebhookPlan } from '../plan.ts'
import { seeded } from '../seed.ts'
import { createTurns } from '../turns.ts'
import type { Bound } from './bound.ts'
import { deliverer } from './deliverer.ts'
import { ledgerStorage } from './ledger-storage.ts'
import { handedOver } from './merchants.ts'
import { planned } from './payments.ts'
import { pendingOf } from './pending.ts'
import { formatStanding, parseStanding, type Standing } from './standing.ts'

/** An outcome, and when it is given. */
export interface Wanted {
  /** What becomes of the payment; `pending` is for a later request to say. */
  outcome: 'completed' | 'error' | 'pending'
  /** Why, of an error. */
  failure: string | null
  /** How long after the start, by the ledger's clock. */
  delaySeconds: number
  /** What the webhook does. */
  webhook: WebhookPlan
}

/** One merchant's test ledger in this process. */
export interface Ledger {
  name: LedgerName
  /** Its merchant's id within it. */
  merchantId: string
  till: Till
  seed(): string
  now(): Date
  /** Looks at how far its clock has come, in other processes too. Call it first. */
  refresh(live: Merchant): Promise<void>
  /** Makes a payment. Throws `conflict` when the ledger is full. */
  pay(payment: StartPayment, wanted: Wanted): Promise<Payment>
  /** Gives a pending payment its outcome now. */
  settle(id: number, outcome: 'completed' | 'error', failure: string | null): Promise<Payment>
  /** Adds a scan code, the next of the seed where none is given. */
  addCode(code: NewScanCode): Promise<ScanCode>
  /** The code that payments are made on where none is named: the first that there is, or a new one. */
  firstCode(): Promise<string>
  /** Sends a webhook once more. */
  redeliver(id: number): Promise<void>
  /**
   * Moves the clock on: what is in flight ends first, outcomes that are due by then are given, each at its own time, and
   * webhooks that are due then get one attempt each. Throws `invalid_input` for a time before `now`.
   */
  moveClock(to: (now: Date) => Date): Promise<void>
  /** Begins the merchant's next ledger, from `seed`. Throws `conflict` when that was done too often. */
  reset(seed: string): Promise<void>
  /** Ends what is in flight. */
  close(): Promise<void>
}

/** What ledgers are made with. */
export interface LedgerParts {
  storage: Storage
  name: LedgerName
  live: Merchant
  webhooks: SandboxWebhooks
  secrets: Secrets | undefined
  maxPayments: number
  /** Begins the next ledger. */
  reset: (seed: string) => Promise<void>
}

const FIRST = { skip: 0, limit: 1 }

/** Opens a ledger whose merchant is kept already. */
export async function openLedger(parts: LedgerParts): Promise<Ledger> {
  const { storage, name, webhooks, secrets, maxPayments, reset } = parts
  const merchantId = shownId(name.liveId)
  const stored = storedId(name)
  const inTurn = createTurns()
  let live = parts.live
  let standing = await standingIn(storage, stored)

  const bound: Bound = {
    storage,
    name,
    stored,
    shown: merchantId,
    live: () => live,
    seeded: seeded(standing.seed),
  }
  const decoyKey = () =>
    new Promise<string>((resolve, reject) => {
      handedOver.run(resolve, () => till.merchants.issueWebhookKey(merchantId)).catch(reject)
    })
  const till = createTill({
    name: 'sandbox',
    storage: ledgerStorage(bound, decoyKey),
    clock: () => new Date(standing.now),
    webhooks: { concurrency: 4, ...webhooks, spreadRetries: false },
    secrets,
    logger: false,
    rememberSeconds: 0,
  })
  const { deliver, delivered } = deliverer(till)

  const give = (id: number, { status, failure }: Pick<Plan, 'status' | 'failure'>) =>
    status === 'completed'
      ? till.payments.complete({ merchantId, id })
      : till.payments.fail({ merchantId, id }, { failure })

  const addCode = async ({ code, reference }: NewScanCode): Promise<ScanCode> => {
    if (code !== undefined) return till.scanCodes.create(merchantId, { code, reference })
    for (;;) {
      const { length } = await till.scanCodes.list(merchantId)
      const next = `test-${bound.seeded.hex('scan code', length + 1).slice(0, 16)}`
      try {
        return await till.scanCodes.create(merchantId, { code: next, reference })
      } catch (error) {
        // Another process may have added it in between.
        if ((await till.scanCodes.list(merchantId)).length === length) throw error
      }
    }
  }

  const setClock = async (now: number) => {
    standing = { ...standing, now }
    const patch = { name: formatStanding(standing) }
    await storage.merchants.update(stored, patch, instant(new Date(now)))
  }

  const giveDue = async (until: Instant) => {
    const due = (await pendingOf(bound)).flatMap(payment => {
      const plan = planOf(payment)
      return plan?.at && plan.at <= until ? [{ id: payment.id, ...plan, at: plan.at }] : []
    })
    due.sort((a, b) => (a.at === b.at ? a.id - b.id : a.at < b.at ? -1 : 1))
    for (const { id, at, ...plan } of due) {
      standing = { ...standing, now: Math.max(standing.now, Date.parse(at)) }
      await give(id, plan).catch(refusedAsDecided)
    }
  }

  return {
    name,
    merchantId,
    till,
    seed: () => standing.seed,
    now: () => new Date(standing.now),

    async refresh(merchant) {
      live = merchant
      const seen = await standingIn(storage, stored)
      standing = { ...seen, now: Math.max(seen.now, standing.now) }
    },

    pay: (payment, { outcome, failure, delaySeconds, webhook }) =>
      inTurn(async () => {
        const { total } = await storage.payments.list(stored, {}, FIRST)
        if (total >= maxPayments) {
          throw new TillError('conflict', `a sandbox has at most ${maxPayments} payments: reset it`)
        }
        const status = outcome === 'pending' ? 'completed' : outcome
        const at = outcome === 'pending' ? null : instant(after(new Date(standing.now), delaySeconds))
        const started = await planned.run({ at, status, failure, webhook }, () =>
          till.payments.start(payment),
        )
        const isNow = outcome !== 'pending' && delaySeconds === 0 && started.status === 'pending'
        const paid = isNow ? await give(started.id, { status, failure }) : started
        if (paid.status !== 'pending') deliver()
        return paid
      }),

    settle: (id, status, failure) =>
      inTurn(async () => {
        const payment = await give(id, { status, failure })
        deliver()
        return payment
      }),

    addCode: scanCode => inTurn(() => addCode(scanCode)),

    firstCode: () =>
      inTurn(async () => {
        const [first] = await till.scanCodes.list(merchantId)
        return (first ?? (await addCode({}))).code
      }),

    redeliver: id =>
      inTurn(async () => {
        await till.webhooks.redeliver({ merchantId, paymentId: id })
        deliver()
      }),

    moveClock: to =>
      inTurn(async () => {
        const now = new Date(standing.now)
        const target = to(now)
        await delivered()
        await giveDue(instant(target))
        await setClock(target.getTime())
        deliver()
        await delivered()
      }),

    reset: seed => inTurn(() => reset(seed)),

    close: () => till.close(),
  }
}

async function standingIn(storage: Storage, stored: string): Promise<Standing> {
  const merchant = await storage.merchants.get(stored)
  if (merchant === null) throw new Error('the storage of a sandbox has lost a test ledger')
  return parseStanding(merchant.name)
}

/** Another process, or a request, was there first: its outcome stands. */
function refusedAsDecided(error: unknown): void {
  if (!(error instanceof TillError && error.code === 'conflict')) throw error
}
