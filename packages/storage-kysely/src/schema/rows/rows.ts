import type { ApiKey, CashUp, Merchant, ScanCode, WireDate } from '@tillkit/domain'
import type { Selectable } from 'kysely'
import { instantOf, instantOrNull, wireDateOf } from '../dates.ts'
import { isSet } from '../is-set.ts'
import type {
  ApiKeysTable,
  CashUpsTable,
  DeliveriesTable,
  DeliveryAttemptsTable,
  LedgersTable,
  MerchantsTable,
  ScanCodesTable,
} from '../tables.ts'

type Row<Table, Column extends keyof Selectable<Table>> = Pick<Selectable<Table>, Column>

export const MERCHANT_COLUMNS = [
  'id',
  'name',
  'webhook_url',
  'tips',
  'user_references',
  'device_lists',
  'created_at',
] as const satisfies (keyof MerchantsTable)[]

/** What is read of a merchant, and, of its ledger, since when it is suspended. */
export type MerchantRow = Row<MerchantsTable, (typeof MERCHANT_COLUMNS)[number]> &
  Row<LedgersTable, 'suspended_at'>

export function toMerchant(row: MerchantRow): Merchant {
  return {
    id: row.id,
    name: row.name,
    webhookUrl: row.webhook_url,
    features: {
      tips: isSet(row.tips),
      userReferences: isSet(row.user_references),
      deviceLists: isSet(row.device_lists),
    },
    createdAt: instantOf(row.created_at),
    suspendedAt: instantOrNull(row.suspended_at),
  }
}

export const LEDGER_COLUMNS = [
  'last_payment_id',
  'last_date',
  'last_cash_up_number',
  'last_cash_up_payment_id',
] as const satisfies (keyof LedgersTable)[]

/** Where a merchant's ids, dates and periods stand. */
export interface Ledger {
  lastPaymentId: number
  lastDate: WireDate
  lastCashUpNumber: number
  lastCashUpPaymentId: number
}

export function toLedger(row: Row<LedgersTable, (typeof LEDGER_COLUMNS)[number]>): Ledger {
  return {
    lastPaymentId: Number(row.last_payment_id),
    lastDate: wireDateOf(row.last_date),
    lastCashUpNumber: Number(row.last_cash_up_number),
    lastCashUpPaymentId: Number(row.last_cash_up_payment_id),
  }
}

export const API_KEY_COLUMNS = [
  'id',
  'merchant_id',
  'label',
  'created_at',
  'expires_at',
] as const satisfies (keyof ApiKeysTable)[]

export function toApiKey(row: Row<ApiKeysTable, (typeof API_KEY_COLUMNS)[number]>): ApiKey {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    label: row.label,
    createdAt: instantOf(row.created_at),
    expiresAt: instantOrNull(row.expires_at),
  }
}

export const SCAN_CODE_COLUMNS = [
  'code',
  'merchant_id',
  'reference',
  'created_at',
  'suspended_at',
] as const satisfies (keyof ScanCodesTable)[]

export function toScanCode(row: Selectable<ScanCodesTable>): ScanCode {
  return {
    code: row.code,
    merchantId: row.merchant_id,
    reference: row.reference,
    createdAt: instantOf(row.created_at),
    suspendedAt: instantOrNull(row.suspended_at),
  }
}

export const CASH_UP_COLUMNS = ['date', 'reference'] as const satisfies (keyof CashUpsTable)[]

export function toCashUp(row: Row<CashUpsTable, (typeof CASH_UP_COLUMNS)[number]>): CashUp {
  return { date: wireDateOf(row.date), reference: row.reference }
}

export const DELIVERY_COLUMNS = [
  'merchant_id',
  'payment_id',
  'state',
  'attempts',
  'next_attempt_at',
  'last_attempt_at',
  'last_status',
  'last_error',
  'created_at',
] as const satisfies (keyof DeliveriesTable)[]

export type DeliveryRow = Row<DeliveriesTable, (typeof DELIVERY_COLUMNS)[number]>

export const ATTEMPT_COLUMNS = [
  'payment_id',
  'began_at',
  'status',
  'milliseconds',
  'error',
  'answer',
] as const satisfies (keyof DeliveryAttemptsTable)[]

export type AttemptRow = Row<DeliveryAttemptsTable, (typeof ATTEMPT_COLUMNS)[number]>
