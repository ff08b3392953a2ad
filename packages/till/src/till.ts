import type {
  ApiKey,
  CashUp,
  Instant,
  Merchant,
  MerchantPatch,
  MerchantRange,
  NewApiKey,
  NewCashUp,
  NewMerchant,
  NewScanCode,
  NewWebhookKey,
  Page,
  PageRequest,
  Payment,
  RepairedDates,
  ScanCode,
} from '@tillkit/domain'
import type { Inspection, InspectOptions } from './inspection/inspection.ts'
import type { Logger } from './logging/logger.ts'
import type { Payments } from './payments/calls.ts'
import type { Reports } from './reports/calls.ts'
import type { Settlements } from './settlements/calls.ts'
import type { TillStanding } from './standing.ts'
import type { Webhooks } from './webhooks/calls.ts'

/**
 * What a host calls. Every method checks what it is given and throws `TillError`: `invalid_input` naming what is wrong,
 * `not_found` for an unknown merchant, scan code, payment or cash up, `conflict` and `not_ready` where a comment says so.
 * Amounts are cents, dates UTC strings.
 */
export interface Till {
  /** Who is paid, and the keys that sign their webhooks. */
  merchants: Merchants
  /** The keys that authenticate merchants' requests. */
  apiKeys: ApiKeys
  /** What QR codes carry. */
  scanCodes: ScanCodes
  /** Attempts to pay, their outcomes and their settlement. */
  payments: Payments
  /** The ends of merchants' transaction periods. */
  cashUps: CashUps
  /** What was taken, by period, hour and day. */
  reports: Reports
  /** Statements of whoever pays out. */
  settlements: Settlements
  /** Telling merchants of outcomes. */
  webhooks: Webhooks
  /**
   * The merchant whose live API key this is, or null (API 5). A mistyped key costs no read of the storage, and
   * a key's merchant is remembered for a few seconds. One that is suspended is returned as well: who answers requests by
   * himself looks at `suspendedAt`, as `merchantApi` does.
   */
  authenticate(apiKey: string): Promise<Merchant | null>
  /** The time that the till goes by, to the millisecond: its `clock`'s, or its database's, at no round trip but now and then. */
  now(): Promise<Date>
  /**
   * Puts right what a wrong clock has dated into the future: the merchant's payments and cash ups that lie after the
   * database's time are put to it, so that ids and dates keep one order and the next payment is dated now; and so are
   * its deliveries and its endpoint where they lie more than a minute, or a lease, ahead: what waited for such a time is due, and
   * an endpoint that was paused then is awake. Returns how many of each; again, it changes nothing. In short steps,
   * beside which payments start as ever. Have the clock put right first, and what is pending reconciled: a name for the processor
   * that has the payment's date in it, as `idempotencyKey` of `@tillkit/checkout` makes, is another one afterwards.
   */
  repairDates(merchantId: string): Promise<RepairedDates>
  /** Whether the till is being closed, and how its worker is, at this moment: nothing is asked for it. */
  standing(): TillStanding
  /**
   * Whether the tables of the storage are as far as this version needs, by one short read; true where the storage has none
   * that could be behind. Rejects where the storage does not answer.
   */
  migrated(): Promise<boolean>
  /**
   * Looks at the database and at what is kept in it, and says what wants somebody: settings that lose payments, migrations and
   * indexes that are missing, locks that nobody lets go of, clocks, payments and webhooks that hang, keys. Changes nothing.
   * Costs reads over all merchants and what is pending: for a person, or once a day. A database that fails is a finding.
   */
  inspect(options?: InspectOptions): Promise<Inspection>
  /** What the till logs to, and what is mounted on it unless it was given a logger of its own: never throws. */
  logger: Logger
  /**
   * Stops the worker after what it has in flight: within `timeoutSeconds` and 10 s, whatever the storage does. What it
   * waited for is logged at `info`, and returned by `till.webhooks.stop()`. From then on the worker is not started any more. The
   * storage stays the host's to close.
   */
  close(): Promise<void>
}

/** `till.merchants` */
export interface Merchants {
  /** Adds a merchant. A taken `id` throws `conflict`; one is made up when left out. Features are off unless given. */
  create(merchant: NewMerchant): Promise<Merchant>
  /** The merchant as it is now; null when there is none. */
  get(id: string): Promise<Merchant | null>
  /** Changes what the patch names; `webhookUrl: null` ends webhooks. */
  update(id: string, patch: MerchantPatch): Promise<Merchant>
  /**
   * Suspends the merchant: once this has resolved its scan codes take no payments in any process (`start` throws `conflict`,
   * unless its `attemptKey` started one before), and its API keys get 403, in other processes within the remembered seconds.
   * All else goes on: payments that were started get their outcome, webhooks are delivered, and the host may read, settle
   * and make cash ups. One that is suspended already stays so since when it was. Returns the merchant.
   */
  suspend(id: string): Promise<Merchant>
  /** Ends that. Returns the merchant. */
  resume(id: string): Promise<Merchant>
  /** By id, those after `after`, at most `limit` (100; up to 1000). */
  list(range?: MerchantRange): Promise<Merchant[]>
  /**
   * Makes or replaces the key that signs the merchant's webhooks (API 6.4) and returns it, this once. For
   * `overlapSeconds` the key before signs as well, so that a receiver may change from one to the other at any moment; the one
   * before that signs no more.
   */
  issueWebhookKey(id: string, options?: NewWebhookKey): Promise<string>
}

/** A new API key. */
export interface IssuedApiKey {
  /** Names it to `till.apiKeys.revoke`. */
  id: string
  /** The key itself, for the merchant alone: nobody can show it again. */
  apiKey: string
  /** From when on it authenticates nobody; null where it does not expire. */
  expiresAt: Instant | null
}

/** `till.apiKeys` */
export interface ApiKeys {
  /**
   * Issues a key beside those that are live. The key itself is returned this once; only its SHA-256 is kept. With `expiresAt`
   * or `expiresInSeconds` it is an unknown one from then on, by the time that everything is dated by, in every process.
   */
  issue(merchantId: string, options?: NewApiKey): Promise<IssuedApiKey>
  /** The keys that were not revoked, oldest first; one that has expired is among them, with its `expiresAt`. */
  list(merchantId: string): Promise<ApiKey[]>
  /** Ends a key: at once in this process, within the remembered seconds in another. */
  revoke(merchantId: string, id: string): Promise<void>
}

/** `till.scanCodes` */
export interface ScanCodes {
  /** Adds a scan code, made up of 128 random bits unless given. A code that anyone has throws `conflict`. */
  create(merchantId: string, options?: NewScanCode): Promise<ScanCode>
  /** The scan code; null when there is none. */
  get(code: string): Promise<ScanCode | null>
  /**
   * Suspends one code: once this has resolved it takes no payments in any process (`start` throws `conflict`, unless its
   * `attemptKey` started one before). Its merchant's other codes and API keys do. Returns the code.
   */
  suspend(code: string): Promise<ScanCode>
  /** Ends that. Returns the code. */
  resume(code: string): Promise<ScanCode>
  /** Oldest first. */
  list(merchantId: string): Promise<ScanCode[]>
}

/** `till.cashUps` */
export interface CashUps {
  /** Ends the period and starts a new one (API 4.4). The same `idempotencyKey` again returns that cash up. */
  create(merchantId: string, options?: NewCashUp): Promise<CashUp>
  /** Newest first (API 4.6). */
  list(merchantId: string, page?: PageRequest): Promise<Page<CashUp>>
  /**
   * The completed payments of a period by descending id (API 4.5). An unknown reference throws `not_found`, a
   * period with a pending payment `not_ready`.
   */
  payments(merchantId: string, reference: string, page?: PageRequest): Promise<Page<Payment>>
}
