import { QrError } from '../qr-error.ts'

/** With `Z` or an offset: without one it would be another time on another machine. */
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/

/** The whole second at or before `expiresAt`, counted from 1970: what a URL says of it. */
export function expirySeconds(expiresAt: Date | string): number {
  const time =
    typeof expiresAt === 'string' && DATE_TIME.test(expiresAt) && isDay(expiresAt.slice(0, 10))
      ? Date.parse(expiresAt)
      : expiresAt instanceof Date
        ? expiresAt.getTime()
        : Number.NaN
  const seconds = Math.floor(time / 1000)
  if (isSeconds(String(seconds))) return seconds
  throw new QrError(
    'expiresAt',
    'must be a Date or an ISO 8601 date-time with Z or an offset (+01:00), after 1970',
  )
}

/** `Date.parse` takes the 30th of February, for the 2nd of March. */
function isDay(day: string): boolean {
  const time = Date.parse(day)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
}

/** Seconds as `expirySeconds` counts them, in the one way they are written; null for anything else. */
export function readSeconds(text: string): number | null {
  return isSeconds(text) ? Number(text) : null
}

function isSeconds(text: string): boolean {
  return /^[1-9][0-9]{0,11}$/.test(text)
}
