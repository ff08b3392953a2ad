/**
 * The seconds that a `Retry-After` asks to wait, given as seconds or as an HTTP date (RFC 9110, 10.2.3) relative to
 * `now`; 0 for a date that is past, null for anything else.
 */
export function parseRetryAfter(value: string, now: Date): number | null {
  const text = value.trim()
  if (/^\d+$/.test(text)) return Number(text)
  if (!/^[A-Z][a-z]{2,8}, .* GMT$/.test(text)) return null
  const seconds = (Date.parse(text) - now.getTime()) / 1000
  return Number.isNaN(seconds) ? null : Math.max(seconds, 0)
}
