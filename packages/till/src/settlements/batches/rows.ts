import { type StatementRow, statementRow, TillError, validate } from '@tillkit/domain'
import { untilAborted } from './until-aborted.ts'

/** How many rows are held in memory at a time, however many there are. */
const BATCH = 5000

/** A row, and the how many-th it is, from 0. */
export interface NumberedRow {
  n: number
  /**
   * As it was when it was read: rows are settled some thousand later, and a source may fill one object anew for each, or change
   * what it has handed out.
   */
  row: StatementRow
  given: StatementRow
}

/** The row for whoever gave it: the object itself, to be found among others, unless it was changed since. */
export function handedBack({ row, given }: NumberedRow): StatementRow {
  try {
    return Object.entries(row).every(([name, value]) => Reflect.get(given, name) === value) ? given : row
  } catch {
    return row
  }
}

/**
 * The rows in batches, each by merchant in the order of the first row that a merchant has in it. Throws the reason of `signal`,
 * also while a row is waited for.
 */
export async function* batchesOf(
  rows: Iterable<unknown> | AsyncIterable<unknown>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Map<string, NumberedRow[]>> {
  let batch = new Map<string, NumberedRow[]>()
  let n = 0
  for await (const given of signal ? untilAborted(rows, signal) : rows) {
    const row = checked(given, n)
    const ofMerchant = batch.get(row.merchantId)
    const one = { n, row, given: given as StatementRow }
    if (ofMerchant) ofMerchant.push(one)
    else batch.set(row.merchantId, [one])
    n += 1
    if (n % BATCH === 0) {
      yield batch
      batch = new Map()
    }
  }
  if (batch.size > 0) yield batch
}

const SUBJECT = 'a row'

/** A copy of the row that was given, if it is one. Throws `TillError` that says which is none, and why. */
function checked(given: unknown, n: number): StatementRow {
  try {
    return validate(statementRow, given, SUBJECT)
  } catch (error) {
    if (!(error instanceof TillError)) throw error
    const { message } = error
    const of = message.startsWith(`${SUBJECT} `) ? message.slice(SUBJECT.length) : `.${message}`
    throw new TillError(error.code, `rows.${n}${of}${lineOf(given)}`)
  }
}

/** Where a row stands in its file, where it says so. */
function lineOf(given: unknown): string {
  try {
    const { line } = given as StatementRow
    return Number.isInteger(line) ? ` (line ${line})` : ''
  } catch {
    return ''
  }
}
