import type { Instant, WireDate } from '@tillkit/domain'
import { UnreadableRowError } from '@tillkit/storage'
import { isNumberObject, type NumberObject, numberOf } from './number-object.ts'

/**
 * A date as it is read: text in UTC, `2026-11-20 09:30:00` or with a `T`, with as many places as it needs, or seconds
 * since 1970, which no setting of a session writes in another way. Of these a host may have its driver make what it likes to
 * have numbers as: a bigint, or an object of a library's.
 */
export type ReadDate = string | number | bigint | NumberObject

const DATE = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d/
const SECONDS = /^-?\d+(\.\d+)?$/
const HYPHEN = '-'.charCodeAt(0)

/** The years 0 to 9999, in seconds since 1970: of others there is no date on the wire. */
const [FIRST, LAST] = [-62_167_219_200, 253_402_300_799]

export function isDate(value: unknown): value is ReadDate {
  switch (typeof value) {
    case 'number':
    case 'bigint':
      return isOfThem(Number(value))
    case 'string':
      return value.charCodeAt(4) === HYPHEN
        ? DATE.test(value)
        : SECONDS.test(value) && isOfThem(Number(value))
    default:
      return isNumberObject(value) && isOfThem(numberOf(value))
  }
}

function isOfThem(seconds: number): boolean {
  const second = Math.floor(seconds)
  return second >= FIRST && second <= LAST
}

/** In the wire's form. */
export function wireDateOf(read: ReadDate): WireDate {
  const milliseconds = millisecondsOf(read)
  if (milliseconds !== undefined) return `${secondOfMilliseconds(milliseconds)}Z`
  const text = `${read}`
  return `${text.slice(0, 10)}T${text.slice(11, 19)}Z`
}

export function instantOf(read: ReadDate): Instant {
  const milliseconds = millisecondsOf(read)
  if (milliseconds !== undefined) {
    const fraction = milliseconds - Math.floor(milliseconds / 1000) * 1000
    return `${secondOfMilliseconds(milliseconds)}.${`${fraction}`.padStart(3, '0')}Z`
  }
  const text = `${read}`
  const fraction = text.charAt(19) === '.' ? text.slice(20, 23).replace('Z', '') : ''
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`
}

export const instantOrNull = (read: ReadDate | null): Instant | null =>
  read === null ? null : instantOf(read)

/** Since 1970; undefined where it is read as text. */
function millisecondsOf(read: ReadDate): number | undefined {
  if (typeof read === 'string' && read.charCodeAt(4) === HYPHEN) return undefined
  const milliseconds = Math.round(numberOf(read) * 1000)
  return Number.isFinite(milliseconds) ? milliseconds : undefined
}

const DAY = 86_400
const TWO_DIGITS = Array.from({ length: 60 }, (_, n) => `${n}`.padStart(2, '0'))

/** The day that was written last: the rows of a page are mostly of one. */
let last = { day: Number.NaN, text: '' }

function secondOfMilliseconds(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  if (seconds < FIRST || seconds > LAST) {
    throw new UnreadableRowError('a row cannot be read: it has a date that is none of the years 0 to 9999')
  }
  const day = Math.floor(seconds / DAY)
  if (day !== last.day) last = { day, text: new Date(day * DAY * 1000).toISOString().slice(0, 10) }
  const rest = seconds - day * DAY
  const minutes = Math.floor(rest / 60)
  return `${last.text}T${TWO_DIGITS[Math.floor(minutes / 60)]}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[rest % 60]}`
}
