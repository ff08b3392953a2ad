import type { ApiKey, CashUp, Delivery, Merchant, Payment, ScanCode } from '@tillkit/domain'
import type { Selectable } from 'kysely'
import type {
  ApiKeysTable,
  CashUpsTable,
  DeliveriesTable,
  MerchantsTable,
  PaymentsTable,
  ScanCodesTable,
} from './tables.ts'

export const MERCHANT_COLUMNS = [
  'id',
  'name',
  'webhook_url',
  'tips',
  'user_references',
  'device_lists',
  'created_at',
] as const satisfies (keyof MerchantsTable)[]

export function toMerchant(
  row: Pick<Selectable<MerchantsTable>, (typeof MERCHANT_COLUMNS)[number]>,
): Merchant {
  return {
    id: row.id,
    name: row.name,
    webhookUrl: row.webhook_url,
    features: {
      tips: Boolean(row.tips),
      userReferences: Boolean(row.user_references),
      deviceLists: Boolean(row.device_lists),
    },
    createdAt: row.created_at,
  }
}

export const API_KEY_COLUMNS = [
  'id',
  'merchant_id',
  'label',
  'created_at',
] as const satisfies (keyof ApiKeysTable)[]

export function toApiKey(row: Pick<Selectable<ApiKeysTable>, (typeof API_KEY_COLUMNS)[number]>): ApiKey {
  return { id: row.id, merchantId: row.merchant_id, label: row.label, createdAt: row.created_at }
}

export const SCAN_CODE_COLUMNS = [
  'code',
  'merchant_id',
  'reference',
  'created_at',
] as const satisfies (keyof ScanCodesTable)[]

export function toScanCode(row: Selectable<ScanCodesTable>): ScanCode {
  return { code: row.code, merchantId: row.merchant_id, reference: row.reference, createdAt: row.created_at }
}

export const PAYMENT_COLUMNS = [
  'merchant_id',
  'id',
  'status',
  'date',
  'total_amount',
  'tip_amount',
  'scan_code',
  'scan_code_reference',
  'user_reference',
  'statement_reference',
  'is_voucher',
  'is_voucher_redemption',
  'required_amount',
  'merchant_reference',
  'auth_code',
  'device_serial_number',
  'strict',
  'failure',
  'extra',
] as const satisfies (keyof PaymentsTable)[]

export type PaymentRow = Pick<Selectable<PaymentsTable>, (typeof PAYMENT_COLUMNS)[number]>

export function toPayment(row: PaymentRow): Payment {
  return {
    merchantId: row.merchant_id,
    id: row.id,
    status: row.status,
    date: row.date,
    totalAmount: row.total_amount,
    tipAmount: row.tip_amount,
    scanCode: row.scan_code,
    scanCodeReference: row.scan_code_reference,
    userReference: row.user_reference,
    statementReference: row.statement_reference,
    isVoucher: Boolean(row.is_voucher),
    isVoucherRedemption: Boolean(row.is_voucher_redemption),
    requiredAmount: row.required_amount,
    merchantReference: row.merchant_reference,
    authCode: row.auth_code,
    deviceSerialNumber: row.device_serial_number,
    strict: Boolean(row.strict),
    failure: row.failure,
    extra: row.extra === '{}' ? {} : JSON.parse(row.extra),
  }
}

export function toCashUp(row: Pick<Selectable<CashUpsTable>, 'date' | 'reference'>): CashUp {
  return { date: row.date, reference: row.reference }
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

export function toDelivery(
  row: Pick<Selectable<DeliveriesTable>, (typeof DELIVERY_COLUMNS)[number]>,
): Delivery {
  return {
    merchantId: row.merchant_id,
    paymentId: row.payment_id,
    state: row.state,
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_at,
    lastAttemptAt: row.last_attempt_at,
    lastStatus: row.last_status,
    lastError: row.last_error,
    createdAt: row.created_at,
  }
}
