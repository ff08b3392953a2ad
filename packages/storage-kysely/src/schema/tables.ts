import type { DeliveryState, PaymentStatus } from '@tillkit/domain'
import type { ColumnType } from 'kysely'

/** A whole number: drivers hand over a large one as text. */
type Whole<Null = never> = ColumnType<number | string | bigint | Null, number | Null, number | Null>

/** A date or an instant, in the form that the dialect's `time` gives it; read through `columnsOf`. */
type Time = string

/** A boolean as an engine keeps it: 0 and 1 where it has no type of its own. It is read by `isSet`. */
export type Flag = number | boolean

/** The date of a ledger that has none yet. */
export const BEFORE_ALL = '1970-01-01T00:00:00Z'

export interface MerchantsTable {
  id: string
  name: string
  webhook_url: string | null
  /** Sealed by the host's secrets. */
  webhook_key: string | null
  /** The key before that, sealed, where it signs until `previous_webhook_key_until`. */
  previous_webhook_key: string | null
  previous_webhook_key_until: Time | null
  tips: Flag
  user_references: Flag
  device_lists: Flag
  created_at: Time
}

/** Where a merchant's ids, dates and periods stand, and whether it takes payments. Its row is the merchant's lock. */
export interface LedgersTable {
  merchant_id: string
  last_payment_id: Whole
  /** Of the last payment or cash up; `BEFORE_ALL` before the first. */
  last_date: Time
  last_cash_up_number: Whole
  /** The last payment id of the last period. */
  last_cash_up_payment_id: Whole
  /** Since when the merchant is suspended: here, so that who holds the lock knows it. */
  suspended_at: Time | null
  /** How often a scan code of the merchant was suspended or resumed: a statement that began before the last time can tell. */
  suspensions: ColumnType<number | string | bigint, number | undefined, number>
}

export interface ApiKeysTable {
  merchant_id: string
  id: string
  hash: string
  label: string | null
  created_at: Time
  /** From when on it is as if it were not there; null where it does not expire. */
  expires_at: Time | null
}

export interface ScanCodesTable {
  code: string
  merchant_id: string
  reference: string | null
  created_at: Time
  suspended_at: Time | null
}

export interface PaymentsTable {
  merchant_id: string
  id: Whole
  status: PaymentStatus
  date: Time
  total_amount: Whole
  tip_amount: Whole<null>
  scan_code: string
  scan_code_reference: string | null
  user_reference: string | null
  statement_reference: string | null
  is_voucher: Flag
  is_voucher_redemption: Flag
  required_amount: Whole<null>
  merchant_reference: string | null
  auth_code: string | null
  device_serial_number: string | null
  strict: Flag
  failure: string | null
  /** JSON text. */
  extra: string
  attempt_key: string | null
  /** MySQL alone: `date` while it is pending. */
  pending_date: ColumnType<Time | null, never, never>
  /** The merchant reference of a strict payment that is pending or completed: unique within the merchant. */
  guarded_reference: string | null
}

/**
 * What is known for ever of a merchant's payments from the first to the one called `up_to`: those that are not listed had
 * their outcome when they were counted, and so many of them failed.
 */
interface PaymentBlocksTable {
  merchant_id: string
  up_to: Whole
  errors: Whole
  /** The ids of those that were pending, with commas between. */
  unresolved: string
}

/**
 * What a merchant's payments from one id to another come to, known for ever: those that are not listed had their outcome when
 * it was written.
 */
interface PaymentSumsTable {
  merchant_id: string
  first_id: Whole
  last_id: Whole
  /** The dates of the two. */
  first_date: Time
  last_date: Time
  /** The ids of those that were pending, with commas between. */
  unresolved: string
  /** JSON text: by all that the report of a period tells apart. */
  totals: string
  /** JSON text: by quarters of an hour. */
  takings: string
}

export interface CashUpsTable {
  merchant_id: string
  /** 1, 2, 3 …, so that two of one second keep their order and any page is found by arithmetic. */
  number: Whole
  reference: string
  date: Time
  first_payment_id: Whole
  last_payment_id: Whole
  idempotency_key: string | null
  /** How many payments of the period completed, once none is pending: it cannot change any more. */
  completed_total: Whole<null>
}

/** A statement that was imported. */
export interface StatementsTable {
  reference: string
  started_at: Time
  /** When an import of it last came to its end, and what it met; null until one did. */
  finished_at: Time | null
  row_count: Whole<null>
  difference_count: Whole<null>
}

/** What a merchant's payments of one statement reference come to: changed with them, in their own transaction. */
interface SettlementsTable {
  merchant_id: string
  statement_reference: string
  payment_count: Whole
  total_amount: Whole
  total_fees: Whole
}

export interface DeliveriesTable {
  merchant_id: string
  payment_id: Whole
  state: DeliveryState
  attempts: Whole
  fence: Whole
  next_attempt_at: Time | null
  last_attempt_at: Time | null
  last_status: Whole<null>
  last_error: string | null
  created_at: Time
  /** The trace in which the outcome was recorded, where somebody traced. */
  traceparent: ColumnType<string | null, string | null | undefined, string | null>
  /** How long the only attempt took, where it was a success: it has no row of its own. */
  lone_milliseconds: ColumnType<number | string | bigint | null, number | null | undefined, number | null>
  /** What it was answered. */
  lone_answer: ColumnType<string | null, string | null | undefined, string | null>
}

/** What came of one attempt of a delivery that had more, or none that was a success; the newest are kept. */
export interface DeliveryAttemptsTable {
  merchant_id: string
  payment_id: Whole
  /** 1, 2, 3 … over all attempts that the delivery ever had. */
  number: Whole
  began_at: Time
  status: Whole<null>
  milliseconds: Whole
  error: string | null
  answer: string | null
}

/** A merchant whose endpoint is failing; one that is in order has no row. */
interface FailingEndpointsTable {
  merchant_id: string
  failing_since: Time
  /** Null where it is not paused. */
  paused_at: Time | null
}

/** Which migrations have got to their end. */
interface MigrationsTable {
  name: string
  timestamp: string
}

/** The tables, by their names without the prefix. */
export interface Tables {
  merchants: MerchantsTable
  ledgers: LedgersTable
  api_keys: ApiKeysTable
  scan_codes: ScanCodesTable
  payments: PaymentsTable
  payment_blocks: PaymentBlocksTable
  payment_sums: PaymentSumsTable
  cash_ups: CashUpsTable
  statements: StatementsTable
  settlements: SettlementsTable
  deliveries: DeliveriesTable
  delivery_attempts: DeliveryAttemptsTable
  failing_endpoints: FailingEndpointsTable
  migrations: MigrationsTable
}

export const TABLE_NAMES: ReadonlySet<string> = new Set<keyof Tables>([
  'merchants',
  'ledgers',
  'api_keys',
  'scan_codes',
  'payments',
  'payment_blocks',
  'payment_sums',
  'cash_ups',
  'statements',
  'settlements',
  'deliveries',
  'delivery_attempts',
  'failing_endpoints',
  'migrations',
])
