import { plain } from './plain.ts'

/** What would break a line, end it early or turn its direction: an attacker's text must not forge another line. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}]/gu

const LONGEST_LINE = 8192

/** `2026-11-20T09:30:00.000Z WARN webhook failed {"merchantId":"shop","status":500}`, in one line whatever the fields hold. */
export function logLine(at: Date, level: string, fields: unknown, message: unknown): string {
  const data = plain(fields)
  const shown = data === null || (typeof data === 'object' && Object.keys(data).length === 0)
  const text = `${plain(message)}${shown ? '' : ` ${JSON.stringify(data)}`}`
  const safe = text.replace(UNSAFE, escaped)
  const line = safe.length > LONGEST_LINE ? `${safe.slice(0, LONGEST_LINE)}…` : safe
  return `${at.toISOString()} ${level.toUpperCase()} ${line}`
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
