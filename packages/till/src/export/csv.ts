import { type Payment, validate } from '@tillkit/domain'
import { type Options, stringify } from 'csv-stringify/sync'
import { z } from 'zod'
import { assertIterable, inChunks } from './in-chunks.ts'

/** The columns of a CSV file of payments, in their order: each has the name of the field of `Payment` that is in it. */
export const PAYMENT_COLUMNS = [
  'merchantId',
  'id',
  'status',
  'date',
  'totalAmount',
  'tipAmount',
  'scanCode',
  'scanCodeReference',
  'userReference',
  'merchantReference',
  'statementReference',
  'requiredAmount',
  'authCode',
  'isVoucher',
  'isVoucherRedemption',
  'deviceSerialNumber',
  'strict',
  'failure',
  'extra',
] as const satisfies (keyof Payment)[]

/** How a CSV file is written. */
export interface CsvOptions {
  /** What stands between two values: `,` when left out. Spreadsheets of countries with a decimal comma expect `;`. */
  delimiter?: ',' | ';' | '\t' | undefined
  /** Whether it begins with a byte order mark, by which Excel knows that it is UTF-8: false when left out. */
  bom?: boolean | undefined
}

const csvOptions = z.strictObject({
  delimiter: z.enum([',', ';', '\t'], 'must be one of , ; and a tab').default(','),
  bom: z.boolean().default(false),
})

/**
 * Payments as CSV (RFC 4180): a line of column names, `PAYMENT_COLUMNS`, and one of each payment, in pieces of whole lines.
 * Amounts are whole cents, dates UTC, flags `true` or `false`, `extra` JSON; what is null is empty, and a text always has its
 * quotes. No text is taken for a formula by a spreadsheet: one that would be has a `'` before it, also
 * where a formula would only begin if the file were split at another delimiter. So `toNdjson` has texts exactly, this has not.
 * Takes a list or, as `till.payments.export` returns it, an async iterable, of which no more is read than is asked for, and
 * which is ended when the reader ends. Throws `invalid_input`, with the first piece, for options that are none.
 */
export async function* toCsv(
  payments: AsyncIterable<Payment> | Iterable<Payment>,
  options?: CsvOptions,
): AsyncGenerator<string, void, undefined> {
  const { delimiter, bom } = validate(csvOptions, options ?? {}, 'the options of a CSV file')
  assertIterable(payments)
  const form: Options = {
    delimiter,
    record_delimiter: 'windows',
    quoted_string: true,
    escape_formulas: true,
    cast: { boolean: String, string: withoutFormulas },
  }
  yield stringify([[...PAYMENT_COLUMNS]], { ...form, bom, quoted_string: false })
  yield* inChunks(payments, chunk => stringify(chunk.map(valuesOf), form))
}

function valuesOf(payment: Payment): unknown[] {
  return PAYMENT_COLUMNS.map(name => (name === 'extra' ? JSON.stringify(payment.extra) : payment[name]))
}

/**
 * What begins a formula, in any width, where a cell begins, or would begin if the file were read otherwise than it was
 * written: the library's `escape_formulas` looks at the first character of a value alone.
 */
const FORMULA = /(^|[,;\t\r\n])(["\s]*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g

function withoutFormulas(text: string): string {
  return text.replace(FORMULA, "$1$2'")
}
