/** What would move a terminal's cursor, colour it, or turn a line's direction: customers and merchants write such text. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}]/gu

const LONGEST = 64

/** A value as a cell of a table shows it: one line, harmless, of bounded length. */
export function shown(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const text = inOneLine(String(value))
  const characters = [...text]
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join('')}…` : text
}

/** Text with what a terminal would obey written out, as `\u001b`. */
export function inOneLine(text: string): string {
  return text.replace(UNSAFE, written)
}

/** JSON in which nothing is left that a terminal would obey: the same data to whoever parses it. */
export function json(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? 'null'
  return text.replace(UNSAFE, character => (character === '\n' ? character : written(character)))
}

function written(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
