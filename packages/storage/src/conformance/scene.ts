import type {
  Merchant,
  NewPayment,
  Outcome,
  Payment,
  PaymentFilter,
  Slice,
  TillErrorCode,
} from '@tillkit/domain'
import type { Storage } from '../storage.ts'

/** A store, and short ways to bring about what a test is about. */
export interface Scene {
  storage: Storage
  /** Adds a merchant that no other test has. */
  merchant(fields?: Partial<Merchant>): Promise<Merchant>
  /** Starts a payment at `at(0)` unless told otherwise. */
  start(merchantId: string, fields?: Partial<NewPayment>, now?: string): Promise<Payment>
  /** Starts and completes a payment. */
  completed(merchantId: string, fields?: Partial<NewPayment>, now?: string): Promise<Payment>
  /** Starts and fails a payment. */
  failed(merchantId: string, fields?: Partial<NewPayment>, now?: string): Promise<Payment>
  /** Ends the merchant's period at `at(0)` unless told otherwise, and returns the cash up's reference. */
  cashUp(merchantId: string, now?: string): Promise<string>
  /** The ids in a slice of the merchant's payments, all of them unless told otherwise. */
  ids(merchantId: string, filter?: PaymentFilter, slice?: Slice): Promise<number[]>
  /** Leases every delivery that other tests left due, for good, so that only the test's own are claimed. */
  leaseLeftovers(): Promise<void>
}

export const WEBHOOK_URL = 'https://shop.example/hook'
export const COMPLETED: Outcome = { status: 'completed' }
export const EVERYTHING: Slice = { skip: 0, limit: 1000 }

const START = Date.parse('2026-11-20T09:30:00Z')
const END_OF_TIME = '9999-12-31T23:59:59.000Z'

/** The instant `seconds` (a fraction is fine) after the one that the tests start from. */
export function at(seconds: number): string {
  return new Date(START + Math.round(seconds * 1000)).toISOString()
}

/** The same as a date of the wire. */
export function dateAt(seconds: number): string {
  return `${at(seconds).slice(0, 19)}Z`
}

let made = 0

/** A number that no other call returns. */
export function unique(): number {
  made += 1
  return made
}

/** 32 hexadecimal digits that no other call returns. */
export function newReference(): string {
  return unique().toString(16).padStart(32, 'c0de')
}

export function aMerchant(fields: Partial<Merchant> = {}): Merchant {
  return {
    id: `merchant-${`${unique()}`.padStart(6, '0')}`,
    name: 'Shop',
    webhookUrl: null,
    features: { tips: false, userReferences: false, deviceLists: false },
    createdAt: at(0),
    suspendedAt: null,
    ...fields,
  }
}

export function aPayment(merchantId: string, fields: Partial<NewPayment> = {}): NewPayment {
  return {
    merchantId,
    totalAmount: 1250,
    tipAmount: null,
    scanCode: 'till-1',
    scanCodeReference: null,
    userReference: null,
    isVoucher: false,
    isVoucherRedemption: false,
    requiredAmount: null,
    merchantReference: null,
    authCode: null,
    deviceSerialNumber: null,
    strict: false,
    extra: {},
    attemptKey: null,
    ...fields,
  }
}

/** The code of the `TillError` that `work` is refused with; `none` when it is not. Any other error passes through. */
export async function refusal(work: Promise<unknown>): Promise<TillErrorCode | 'none'> {
  try {
    await work
    return 'none'
  } catch (error) {
    if (error instanceof Error && error.name === 'TillError' && 'code' in error && error.message !== '') {
      return error.code as TillErrorCode
    }
    throw error
  }
}

export function sceneOf(storage: Storage): Scene {
  const start: Scene['start'] = async (merchantId, fields, now = at(0)) =>
    (await storage.payments.start(aPayment(merchantId, fields), now)).payment

  const ended = async (payment: Payment, outcome: Outcome, now = at(0)): Promise<Payment> => {
    const resolved = await storage.payments.resolve(payment, outcome, now)
    if (!resolved?.changed) throw new Error(`payment ${payment.id} was not pending`)
    return resolved.payment
  }

  return {
    storage,
    start,

    async merchant(fields) {
      const merchant = aMerchant(fields)
      await storage.merchants.create(merchant)
      return merchant
    },

    completed: async (merchantId, fields, now) => ended(await start(merchantId, fields, now), COMPLETED, now),

    failed: async (merchantId, fields, now) =>
      ended(await start(merchantId, fields, now), { status: 'error', failure: null }, now),

    async cashUp(merchantId, now = at(0)) {
      const reference = newReference()
      await storage.cashUps.create(merchantId, { reference, idempotencyKey: null, now })
      return reference
    },

    async ids(merchantId, filter = {}, slice = EVERYTHING) {
      const { items } = await storage.payments.list(merchantId, filter, slice)
      return items.map(payment => payment.id)
    },

    async leaseLeftovers() {
      const lease = { now: END_OF_TIME.replace('59.000', '58.000'), leaseUntil: END_OF_TIME, limit: 1000 }
      while ((await storage.deliveries.claim(lease)).length > 0);
    },
  }
}
