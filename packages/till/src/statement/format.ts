import { TillError, validate } from '@tillkit/domain'
import { z } from 'zod'

/** A column: its name in the file's first line, or, in a file without one, its place, from 1. */
export type Column = string | number

/** In which columns a statement has what. All are names, or all are places. */
export interface StatementColumns {
  /** Whose payment it is. */
  merchantId: Column
  /** The payment's id. At least one of this, `merchantReference` and `authCode` is needed. */
  paymentId?: Column | undefined
  /** The reference that the payment has of its merchant. */
  merchantReference?: Column | undefined
  /** The payment's six digits. */
  authCode?: Column | undefined
  /** What was paid. */
  amount: Column
  /** What was kept of it. */
  fee?: Column | undefined
}

/** How a statement is written. */
export interface StatementFormat {
  /** In which columns it has what. */
  columns: StatementColumns
  /** Between two columns: a comma when left out. */
  delimiter?: ',' | ';' | '\t' | '|' | undefined
  /** How amounts and fees are written: `1250` as `cents`, which is what is meant when it is left out, `12.50` as `point`, `12,50` as `comma`. */
  amounts?: 'cents' | 'point' | 'comma' | undefined
  /** What its bytes are, as `TextDecoder` calls it: `utf-8` when left out. Text that comes as text needs none. */
  encoding?: string | undefined
  /** How many lines come before the first that is read, CSV or not: 0 when left out. */
  skipLines?: number | undefined
  /** True for a line, its columns in their order, that is no row, such as a sum at the end: it is passed over. A promise of it is `invalid_input`. */
  skip?: ((columns: readonly string[]) => boolean) | undefined
}

const PLACE = 'must be the name of a column, or its place from 1'
const column = z.union([z.string(PLACE).min(1, PLACE), z.int(PLACE).min(1, PLACE)], PLACE)

const columns = z.strictObject({
  merchantId: column,
  paymentId: column.optional(),
  merchantReference: column.optional(),
  authCode: column.optional(),
  amount: column,
  fee: column.optional(),
})

const SKIP_LINES = 'must be an integer from 0 to 1000'

const format = z.strictObject({
  columns,
  delimiter: z.enum([',', ';', '\t', '|'], 'must be a comma, a semicolon, a tab or a bar').default(','),
  amounts: z.enum(['cents', 'point', 'comma'], 'must be cents, point or comma').default('cents'),
  encoding: z
    .custom<string>(isEncoding, 'must be an encoding that TextDecoder knows, such as utf-8')
    .default('utf-8'),
  skipLines: z.int(SKIP_LINES).min(0, SKIP_LINES).max(1000, SKIP_LINES).default(0),
  skip: z
    .custom<(columns: readonly string[]) => boolean>(
      value => typeof value === 'function',
      'must be a function',
    )
    .default(() => () => false),
})

/** The format with its defaults. */
export type CheckedFormat = z.output<typeof format>

/** Throws `TillError` that names what is wrong. */
export function checkFormat(given: unknown): CheckedFormat {
  const checked = validate(format, given, 'the format of a statement')
  const { merchantId, amount, fee, ...names } = checked.columns
  if (Object.values(names).every(one => one === undefined)) {
    throw new TillError('invalid_input', 'columns must have a paymentId, a merchantReference or an authCode')
  }
  const kinds = new Set(Object.values(checked.columns).flatMap(one => (one === undefined ? [] : typeof one)))
  if (kinds.size > 1) throw new TillError('invalid_input', 'columns must be all names or all places')
  return checked
}

function isEncoding(value: unknown): boolean {
  try {
    return typeof value === 'string' && new TextDecoder(value).encoding !== ''
  } catch {
    return false
  }
}
