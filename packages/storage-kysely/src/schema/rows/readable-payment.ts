import { type Extra, PAYMENT_STATUSES, parseJson } from '@tillkit/domain'
import { UnreadableRowError } from '@tillkit/storage'
import { isDate } from '../dates.ts'
import { isNumberObject } from '../number-object.ts'
import type { PAYMENT_COLUMNS, PaymentRow } from './payment-row.ts'

type Row = readonly [...PaymentRow, ...unknown[]]
type Column = (typeof PAYMENT_COLUMNS)[number]

const DIGITS = /^\d+$/

/** What `isSet` reads for certain. */
const FLAGS: ReadonlySet<unknown> = new Set([true, false, 1, 0, 1n, 0n, '1', '0', 't', 'f', 'true', 'false'])

const isWhole = (value: unknown) =>
  Number.isSafeInteger(value) ||
  typeof value === 'bigint' ||
  (typeof value === 'string' && DIGITS.test(value)) ||
  (isNumberObject(value) && DIGITS.test(String(value)))
const isText = (value: unknown) => typeof value === 'string'
const isFlag = (value: unknown) =>
  value === null || FLAGS.has(value) || (isNumberObject(value) && FLAGS.has(String(value)))
const isTextOrNull = (value: unknown) => value === null || isText(value)

/**
 * The first column in which something stands that may not; `extra` is looked at when it is parsed. Written out, as a page
 * has a thousand values: a table of checks took as long again as all else that is made of its rows.
 */
function wrongColumn(row: Row): Column | undefined {
  if (!isWhole(row[0])) return 'id'
  if (!PAYMENT_STATUSES.includes(row[1])) return 'status'
  if (!isDate(row[2])) return 'date'
  if (!isWhole(row[3])) return 'total_amount'
  if (!(row[4] === null || isWhole(row[4]))) return 'tip_amount'
  if (!isText(row[5])) return 'scan_code'
  if (!isTextOrNull(row[6])) return 'scan_code_reference'
  if (!isTextOrNull(row[7])) return 'user_reference'
  if (!isTextOrNull(row[8])) return 'statement_reference'
  if (!isFlag(row[9])) return 'is_voucher'
  if (!isFlag(row[10])) return 'is_voucher_redemption'
  if (!(row[11] === null || isWhole(row[11]))) return 'required_amount'
  if (!isTextOrNull(row[12])) return 'merchant_reference'
  if (!isTextOrNull(row[13])) return 'auth_code'
  if (!isTextOrNull(row[14])) return 'device_serial_number'
  if (!isFlag(row[15])) return 'strict'
  if (!isTextOrNull(row[16])) return 'failure'
  return undefined
}

/**
 * The `extra` of a payment's row whose every column is what Tillkit writes there. Throws `UnreadableRowError` for any
 * other row: half of a payment, or a NULL taken for an amount of 0, must reach nobody.
 */
export function readableExtra(merchantId: string, row: Row): Extra {
  const wrong = wrongColumn(row)
  if (wrong !== undefined) throw unreadable(merchantId, row, wrong)
  const text = row[17]
  if (text === '{}') return {}
  const extra = parsed(text)
  if (typeof extra !== 'object' || extra === null || Array.isArray(extra))
    throw unreadable(merchantId, row, 'extra')
  for (const name in extra)
    if (!isText(extra[name as keyof object])) throw unreadable(merchantId, row, 'extra')
  return extra as Extra
}

function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' ? parseJson(text) : undefined
  } catch {
    return undefined
  }
}

function unreadable(merchantId: string, [id]: Row, column: Column): UnreadableRowError {
  return new UnreadableRowError(
    `payment ${id} of merchant ${merchantId} cannot be read: its ${column} is not what may stand there`,
  )
}
