import type { DeliveryState, Instant, PaymentStatus, WireDate } from '@tillkit/domain'

/** A boolean as an engine keeps it: 0 and 1 where it has no type of its own. */
export type Flag = number | boolean

export interface MerchantsTable {
  id: string
  name: string
  webhook_url: string | null
  /** Sealed by the host's secrets. */
  webhook_key: string | null
  tips: Flag
  user_references: Flag
  device_lists: Flag
  created_at: Instant
}

/** Where a merchant's ids, dates and periods stand. Its row is the merchant's lock. */
export interface LedgersTable {
  merchant_id: string
  last_payment_id: number
  /** Of the last payment or cash up; empty before the first. */
  last_date: WireDate | ''
  last_cash_up_number: number
  /** The last payment id of the last period. */
  last_cash_up_payment_id: number
}

export interface ApiKeysTable {
  merchant_id: string
  id: string
  hash: string
  label: string | null
  created_at: Instant
}

export interface ScanCodesTable {
  code: string
  merchant_id: string
  reference: string | null
  created_at: Instant
}

export interface PaymentsTable {
  merchant_id: string
  id: number
  status: PaymentStatus
  date: WireDate
  total_amount: number
  tip_amount: number | null
  scan_code: string
  scan_code_reference: string | null
  user_reference: string | null
  statement_reference: string | null
  is_voucher: Flag
  is_voucher_redemption: Flag
  required_amount: number | null
  merchant_reference: string | null
  auth_code: string | null
  device_serial_number: string | null
  strict: Flag
  failure: string | null
  /** JSON text. */
  extra: string
  attempt_key: string | null
  /** The merchant reference of a strict payment that is pending or completed: unique within the merchant. */
  guarded_reference: string | null
}

export interface CashUpsTable {
  merchant_id: string
  /** 1, 2, 3 …, so that two of one second keep their order and any page is found by arithmetic. */
  number: number
  reference: string
  date: WireDate
  first_payment_id: number
  last_payment_id: number
  idempotency_key: string | null
  /** How many payments of the period completed, once none is pending: it cannot change any more. */
  completed_total: number | null
}

export interface DeliveriesTable {
  merchant_id: string
  payment_id: number
  state: DeliveryState
  attempts: number
  fence: number
  next_attempt_at: Instant | null
  last_attempt_at: Instant | null
  last_status: number | null
  last_error: string | null
  created_at: Instant
}

/** The tables, by their names without the prefix. */
export interface Tables {
  merchants: MerchantsTable
  ledgers: LedgersTable
  api_keys: ApiKeysTable
  scan_codes: ScanCodesTable
  payments: PaymentsTable
  cash_ups: CashUpsTable
  deliveries: DeliveriesTable
}
