import { shortened, TillError } from '@tillkit/domain'
import type { CheckedFormat } from './format.ts'
import type { Place } from './places.ts'

/** A line of a file. */
export interface Line {
  number: number
  columns: readonly string[]
}

/** Throws `TillError` that says where a file is wrong. */
export function refuse({ number }: Line, { called }: Place, what: string): never {
  throw new TillError('invalid_input', `line ${number}, column ${called}: ${what}`)
}

/** What stands there, as it is; null where nothing does, or where the file has no such column. */
export function textAt(line: Line, place: Place | undefined): string | null {
  if (place === undefined) return null
  const text = line.columns[place.index]
  if (text === undefined) refuse(line, place, `the line ends after ${line.columns.length} columns`)
  return text.trim() === '' ? null : text
}

const WHOLE = /^[1-9]\d{0,15}$/

/** A payment's id. */
export function idAt(line: Line, place: Place | undefined): number | null {
  const text = textAt(line, place)
  if (text === null || place === undefined) return null
  const id = Number(text)
  if (!WHOLE.test(text.trim()) || !Number.isSafeInteger(id)) {
    refuse(line, place, `"${shortened(text)}" is no payment id`)
  }
  return id
}

/** Groups of three digits may have a space of any width, an apostrophe, or the other sign, between; a sum without a fraction is whole. */
const WRITTEN = {
  cents: /^(-?)(\d+)()$/,
  point: /^(-?)(\d{1,3}(?:[, \u00a0\u2009\u202f'’]\d{3})+|\d+)(?:\.(\d\d))?$/,
  comma: /^(-?)(\d{1,3}(?:[. \u00a0\u2009\u202f'’]\d{3})+|\d+)(?:,(\d\d))?$/,
}

const EXAMPLES = { cents: '1250', point: '12.50', comma: '12,50' }

/** A sum of money, in cents; it may be below 0. */
export function centsAt(
  line: Line,
  place: Place | undefined,
  amounts: CheckedFormat['amounts'],
): number | null {
  const text = textAt(line, place)
  if (text === null || place === undefined) return null
  const [, sign, whole = '', fraction = ''] = WRITTEN[amounts].exec(text.trim()) ?? []
  const digits = whole.replace(/\D/g, '')
  const cents = Number(amounts === 'cents' ? digits : `${digits}${fraction || '00'}`)
  if (sign === undefined || !Number.isSafeInteger(cents)) {
    refuse(line, place, `"${shortened(text)}" is no amount such as ${EXAMPLES[amounts]}`)
  }
  return sign === '-' && cents > 0 ? -cents : cents
}
