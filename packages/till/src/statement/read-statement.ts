import { Readable } from 'node:stream'
import { type StatementRow, shortened, TillError } from '@tillkit/domain'
import { CsvError, parse } from 'csv-parse'
import { blankedLines } from './blanked-lines.ts'
import { centsAt, idAt, type Line, refuse, textAt } from './cells.ts'
import { decoded } from './decoded.ts'
import { type CheckedFormat, checkFormat, type StatementFormat } from './format.ts'
import { hasHeader, type Places, placesOf } from './places.ts'

/** No line of a statement has as many characters: a quotation mark that is never closed does not fill the memory. */
const LONGEST_LINE = 65_536

/**
 * The rows of a statement in CSV, in constant memory: what `till.settlements.import` takes. `stream` is a file's, a request's or
 * any other iterable of bytes or text. What is no row is a `TillError` `invalid_input` that names the line and the
 * column: as the rows are read, those before it have been handed over.
 */
export function readStatement(
  stream: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>,
  format: StatementFormat,
): AsyncGenerator<StatementRow> {
  const checked = checkFormat(format)
  if (typeof stream !== 'string' && !isIterable(stream)) {
    throw new TillError('invalid_input', 'stream must be an iterable of bytes or of text')
  }
  return rowsOf(stream, checked)
}

function isIterable(stream: unknown): boolean {
  return (
    typeof stream === 'object' &&
    stream !== null &&
    (Symbol.iterator in stream || Symbol.asyncIterator in stream)
  )
}

async function* rowsOf(
  stream: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>,
  format: CheckedFormat,
): AsyncGenerator<StatementRow> {
  const { columns, amounts, skip } = format
  let places = hasHeader(columns) ? null : placesOf(columns, null, 0)
  let header: Line | null = null
  for await (const line of linesOf(stream, format)) {
    if (places === null) {
      places = placesOf(columns, line.columns, line.number)
      header = line
    } else if (!isSkipped(line, skip)) {
      if (header) assertNamed(line, header)
      yield rowOf(line, places, amounts)
    }
  }
  if (places === null)
    throw new TillError('invalid_input', 'the statement has no line that names its columns')
}

/** Every promise is true: a `skip` that answers with one would pass over each line, and nothing would be settled. */
function isSkipped({ columns }: Line, skip: CheckedFormat['skip']): boolean {
  // It may scribble on what it is handed.
  const answer: unknown = skip([...columns])
  if (answer instanceof Promise) {
    // Nobody waits for it: if it rejects, that is said here already.
    answer.catch(() => {})
    throw new TillError('invalid_input', 'skip must answer true or false, and not a promise of it')
  }
  return Boolean(answer)
}

/** Throws for a line with more columns than have names: a delimiter without quotes has moved what is behind it, a fee for example. */
function assertNamed(line: Line, header: Line): void {
  const names = header.columns.length
  const more = line.columns.findIndex((text, n) => n >= names && text.trim() !== '')
  if (more < 0) return
  const what = `something stands there, where line ${header.number} names ${names} columns`
  refuse(line, { index: more, called: `${more + 1}` }, what)
}

function rowOf(line: Line, places: Places, amounts: CheckedFormat['amounts']): StatementRow {
  const { merchantId, amount } = places
  const row = {
    merchantId: textAt(line, merchantId)?.trim() ?? refuse(line, merchantId, 'nothing stands there'),
    paymentId: idAt(line, places.paymentId),
    merchantReference: textAt(line, places.merchantReference),
    authCode: textAt(line, places.authCode)?.trim() ?? null,
    amount: centsAt(line, amount, amounts) ?? refuse(line, amount, 'nothing stands there'),
    fee: centsAt(line, places.fee, amounts),
    line: line.number,
  }
  if (row.amount < 0) refuse(line, amount, 'an amount below 0 is no payment: pass the line over by skip')
  const names = [places.paymentId, places.merchantReference, places.authCode].filter(one => one !== undefined)
  const [first] = names
  if (first && row.paymentId === null && row.merchantReference === null && row.authCode === null) {
    const called = names.map(one => one.called).join(', ')
    refuse(line, { ...first, called }, 'nothing stands there that names a payment')
  }
  return row
}

async function* linesOf(
  stream: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>,
  { delimiter, encoding, skipLines }: CheckedFormat,
): AsyncGenerator<Line> {
  const parser = parse({
    delimiter,
    // Left out, it is whichever the first line ends with, and the rest of a file of several is one row.
    record_delimiter: ['\r\n', '\n', '\r'],
    bom: true,
    info: true,
    skip_records_with_empty_values: true,
    relax_column_count: true,
    max_record_size: LONGEST_LINE,
  })
  const whole = decoded(typeof stream === 'string' ? [stream] : stream, encoding)
  const text = Readable.from(skipLines === 0 ? whole : blankedLines(whole, skipLines))
  text.on('error', error => parser.destroy(error))
  try {
    for await (const { record, info } of text.pipe(parser)) yield { number: info.lines, columns: record }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new TillError('invalid_input', `the statement is no CSV: ${shortened(error.message)}`)
  } finally {
    text.destroy()
  }
}
