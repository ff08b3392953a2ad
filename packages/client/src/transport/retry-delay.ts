const FIRST = 250
const LONGEST = 8000

/** Milliseconds before attempt 1, 2, 3 …: twice as long each time, less up to a half, so that clients do not come back together. */
export function backoff(attempt: number): number {
  return Math.min(LONGEST, FIRST * 2 ** (attempt - 1)) * (1 - Math.random() / 2)
}

/** Milliseconds to wait for who was told to: no less than that, and up to a tenth more. */
export function asTold(seconds: number): number {
  return seconds * 1000 * (1 + Math.random() / 10)
}

/**
 * The seconds of a `Retry-After`, a number or a date; null where there is none, or nothing that can be read. A date is taken
 * by the server's clock where the answer tells its own.
 */
export function retryAfterSeconds(headers: Headers): number | null {
  const value = headers.get('retry-after')?.trim() ?? ''
  if (/^\d+$/.test(value)) return Number(value)
  const then = /\d:\d/.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(then)) return null
  const served = Date.parse(headers.get('date') ?? '')
  return Math.max(0, (then - (Number.isNaN(served) ? Date.now() : served)) / 1000)
}
