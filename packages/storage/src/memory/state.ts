import type {
  ApiKey,
  DeliveryAttempt,
  EndpointHealth,
  Instant,
  SettlementTotals,
  WireDate,
} from '@tillkit/domain'
import {
  type CashUp,
  type Delivery,
  type Merchant,
  type Payment,
  type ScanCode,
  TillError,
} from '@tillkit/domain'
import type { Lease } from '../delivery-store.ts'
import type { PreviousWebhookKey } from '../previous-webhook-key.ts'
import type { ImportEnd } from '../settlement-store.ts'

/** Everything that one memory store keeps. */
export interface State {
  accounts: Map<string, Account>
  /** Live keys by hash. */
  apiKeys: Map<string, ApiKey>
  /** By code. */
  scanCodes: Map<string, ScanCode>
  /** Those that were imported, by their reference, oldest first. */
  statements: Map<string, Statement>
}

/** An import of a statement. */
interface Statement {
  startedAt: Instant
  finishedAt: Instant | null
  end: ImportEnd | null
}

/** A merchant and all that is kept under its lock. */
export interface Account {
  merchant: Merchant
  webhookKey: string | null
  previousWebhookKey: PreviousWebhookKey | null
  health: EndpointHealth
  /** By id: payment 1 comes first. */
  payments: Payment[]
  /** The payment that each attempt key started. */
  attempts: Map<string, Payment>
  /** Oldest first. */
  periods: Period[]
  /** By the statement reference. */
  settlements: Map<string, SettlementTotals<bigint>>
  /** By the id of their payment. */
  deliveries: Map<number, KeptDelivery>
  /** The date of the last payment or cash up: no later one is dated earlier. */
  lastDate: WireDate
}

/** A period that a cash up has ended: the ids from `firstId` to `lastId`, none when `lastId` is the smaller. */
interface Period {
  cashUp: CashUp
  idempotencyKey: string | null
  firstId: number
  lastId: number
}

export interface KeptDelivery extends Delivery {
  /** The fencing number of the last lease. */
  fence: number
  /** The trace in which its outcome was recorded. */
  traceparent: string | null
  /** Oldest first. */
  history: DeliveryAttempt[]
}

export function emptyState(): State {
  return { accounts: new Map(), apiKeys: new Map(), scanCodes: new Map(), statements: new Map() }
}

export function emptyAccount(merchant: Merchant): Account {
  return {
    merchant,
    webhookKey: null,
    previousWebhookKey: null,
    health: { failingSince: null, pausedAt: null },
    payments: [],
    attempts: new Map(),
    periods: [],
    settlements: new Map(),
    deliveries: new Map(),
    lastDate: '1970-01-01T00:00:00Z',
  }
}

/** The account of a merchant that must be known. */
export function accountOf(state: State, merchantId: string): Account {
  const account = state.accounts.get(merchantId)
  if (account) return account
  throw new TillError('not_found', `merchant ${merchantId} is unknown`)
}

/** Writes the delivery of a payment whose outcome is known, due `now`. */
export function addDelivery(
  account: Account,
  paymentId: number,
  now: Instant,
  traceparent: string | null = null,
): KeptDelivery {
  const delivery: KeptDelivery = {
    merchantId: account.merchant.id,
    paymentId,
    state: 'pending',
    attempts: 0,
    nextAttemptAt: now,
    lastAttemptAt: null,
    lastStatus: null,
    lastError: null,
    createdAt: now,
    fence: 0,
    traceparent,
    history: [],
  }
  account.deliveries.set(paymentId, delivery)
  return delivery
}

/** The delivery that a lease holds; undefined when the lease is over or void. */
export function leased(state: State, { merchantId, paymentId, fence }: Lease): KeptDelivery | undefined {
  const delivery = state.accounts.get(merchantId)?.deliveries.get(paymentId)
  return delivery?.state === 'pending' && delivery.fence === fence ? delivery : undefined
}

/** What goes in or out is a copy, so that nobody but the store changes what it keeps. */
export function copyMerchant(merchant: Merchant): Merchant {
  return { ...merchant, features: { ...merchant.features } }
}

export function copyPayment(payment: Payment): Payment {
  return { ...payment, extra: { ...payment.extra } }
}

export function shown({ fence: _, history: __, traceparent: ___, ...delivery }: KeptDelivery): Delivery {
  return delivery
}
