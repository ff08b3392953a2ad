/** Reads what was given, text of a flag or a variable or whatever a file has; throws what it must be, in words. */
export type Reader<Value> = (given: unknown) => Value

class Mistake extends Error {}

/** What a reader said that it must be, or undefined where it said nothing. */
export function mistakeOf(error: unknown): string | undefined {
  return error instanceof Mistake ? error.message : undefined
}

/** Says what is wrong: `must be a file`. */
export function must(message: string): never {
  throw new Mistake(`must ${message}`)
}

export const text: Reader<string> = given =>
  typeof given === 'string' && given !== '' ? given : must('be text that is not empty')

export const whole =
  (least: number, most: number): Reader<number> =>
  given => {
    const number = typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given
    if (typeof number === 'number' && Number.isInteger(number) && number >= least && number <= most) {
      return number
    }
    return must(`be a whole number from ${least} to ${most}, not ${short(given)}`)
  }

export const yesOrNo: Reader<boolean> = given => {
  if (typeof given === 'boolean') return given
  if (given === 'true' || given === '1') return true
  if (given === 'false' || given === '0') return false
  return must(`be true or false, not ${short(given)}`)
}

export const oneOf =
  <const Word extends string>(...words: Word[]): Reader<Word> =>
  given =>
    words.find(word => word === given) ?? must(`be one of ${words.join(', ')}, not ${short(given)}`)

/** A list, in text separated by commas. */
export const list: Reader<string[]> = given => {
  const items = typeof given === 'string' ? given.split(',').map(item => item.trim()) : given
  const good =
    Array.isArray(items) && items.length > 0 && items.every(item => typeof item === 'string' && item)
  return good ? items : must('be a list, separated by commas')
}

export const address: Reader<string> = given => {
  const url = typeof given === 'string' && URL.canParse(given) ? new URL(given) : null
  if (url === null || !/^https?:$/.test(url.protocol))
    must(`be an http or https address, not ${short(given)}`)
  return given as string
}

/** A password, which is never shown, whatever is wrong with it. */
export const password: Reader<string> = given =>
  typeof given === 'string' && given.length >= 12 && !/[\0\r\n]/.test(given)
    ? given
    : must('be 12 characters or more, in one line')

export const currency: Reader<string> = given =>
  typeof given === 'string' && Intl.supportedValuesOf('currency').includes(given)
    ? given
    : must(`be a currency of ISO 4217, such as EUR, not ${short(given)}`)

export const locale: Reader<string> = given => {
  try {
    if (typeof given === 'string' && Intl.NumberFormat.supportedLocalesOf(given).length > 0) return given
  } catch {
    // Not even the form of a locale.
  }
  return must(`be a locale that this machine knows, such as nl-NL, not ${short(given)}`)
}

export const timeZone: Reader<string> = given => {
  try {
    if (typeof given === 'string') return new Intl.DateTimeFormat('en', { timeZone: given }) && given
  } catch {
    // Not one that this machine knows.
  }
  return must(`be a time zone such as Europe/Amsterdam, not ${short(given)}`)
}

/** Keys, in text as JSON; they are never shown, whatever is wrong with them. */
export const secrets: Reader<{ current: string; keys: Record<string, string> }> = given => {
  let read = given
  try {
    if (typeof given === 'string') read = JSON.parse(given)
  } catch {
    read = undefined
  }
  const { current, keys } = Object(read) as { current?: unknown; keys?: unknown }
  const sound =
    typeof current === 'string' &&
    typeof keys === 'object' &&
    keys !== null &&
    Object.hasOwn(keys, current) &&
    Object.values(keys).every(key => typeof key === 'string' && /^[A-Za-z0-9+/]{43}=?$/.test(key))
  if (!sound) must('be {"current":"k1","keys":{"k1":"…"}}, each key 32 bytes in base64')
  return read as { current: string; keys: Record<string, string> }
}

function short(given: unknown): string {
  const text = typeof given === 'string' ? given : (JSON.stringify(given) ?? 'nothing')
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
