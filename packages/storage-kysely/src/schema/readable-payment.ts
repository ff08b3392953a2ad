import { type Extra, PAYMENT_STATUSES } from '@tillkit/domain'
import { UnreadableRowError } from '@tillkit/storage'
import type { Selectable } from 'kysely'
import { isDate } from './dates.ts'
import type { PaymentsTable } from './tables.ts'

/** A payment's row without what is only looked for. */
type PaymentRow = Omit<Selectable<PaymentsTable>, 'attempt_key' | 'pending_date' | 'guarded_reference'>

const DIGITS = /^\d+$/

const isWhole = (value: unknown) =>
  Number.isSafeInteger(value) ||
  typeof value === 'bigint' ||
  (typeof value === 'string' && DIGITS.test(value))
const isText = (value: unknown) => typeof value === 'string'
const isFlag = (value: unknown) => typeof value === 'boolean' || value === 0 || value === 1
const isTextOrNull = (value: unknown) => value === null || isText(value)

/**
 * The first column in which something stands that may not; `extra` is looked at when it is parsed. Written out, as a page
 * has a thousand values: a table of checks took as long again as all else that is made of its rows.
 */
function wrongColumn(row: PaymentRow): keyof PaymentRow | undefined {
  if (!isWhole(row.id)) return 'id'
  if (!PAYMENT_STATUSES.includes(row.status)) return 'status'
  if (!isDate(row.date)) return 'date'
  if (!isWhole(row.total_amount)) return 'total_amount'
  if (!(row.tip_amount === null || isWhole(row.tip_amount))) return 'tip_amount'
  if (!isText(row.scan_code)) return 'scan_code'
  if (!isTextOrNull(row.scan_code_reference)) return 'scan_code_reference'
  if (!isTextOrNull(row.user_reference)) return 'user_reference'
  if (!isTextOrNull(row.statement_reference)) return 'statement_reference'
  if (!isFlag(row.is_voucher)) return 'is_voucher'
  if (!isFlag(row.is_voucher_redemption)) return 'is_voucher_redemption'
  if (!(row.required_amount === null || isWhole(row.required_amount))) return 'required_amount'
  if (!isTextOrNull(row.merchant_reference)) return 'merchant_reference'
  if (!isTextOrNull(row.auth_code)) return 'auth_code'
  if (!isTextOrNull(row.device_serial_number)) return 'device_serial_number'
  if (!isFlag(row.strict)) return 'strict'
  if (!isTextOrNull(row.failure)) return 'failure'
  return undefined
}

/**
 * The `extra` of a payment's row whose every column is what Tillkit writes there. Throws `UnreadableRowError` for any
 * other row: half of a payment, or a NULL taken for an amount of 0, must reach nobody.
 */
export function readableExtra(row: PaymentRow): Extra {
  const wrong = wrongColumn(row)
  if (wrong !== undefined) throw unreadable(row, wrong)
  if (row.extra === '{}') return {}
  const extra = parsed(row.extra)
  if (typeof extra !== 'object' || extra === null || Array.isArray(extra)) throw unreadable(row, 'extra')
  for (const name in extra) if (!isText(extra[name as keyof object])) throw unreadable(row, 'extra')
  return extra as Extra
}

function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}

function unreadable({ merchant_id, id }: PaymentRow, column: string): UnreadableRowError {
  return new UnreadableRowError(
    `payment ${id} of merchant ${merchant_id} cannot be read: its ${column} is not what may stand there`,
  )
}
