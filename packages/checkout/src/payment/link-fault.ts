import { isText, MAX_EXTRA_NAMES, MAX_REFERENCE_LENGTH } from '@tillkit/domain'
import type { LinkFault } from './link-error.ts'

const NAMED = ['amount', 'id', 'strict', 'scan_code_size', 'scan_code_signature', 'scan_code_expires']

/** What it is that makes a payment URL one to start no payment with, told from its query and not from an error's words. */
export function faultOf(query: string): LinkFault {
  const given = new URLSearchParams(query)
  const [amount, id, strict] = ['amount', 'id', 'strict'].map(name => given.getAll(name))
  return faultOfAmount(amount) ?? faultOfOrder(id) ?? faultOfStrict(strict) ?? faultOfExtra(given) ?? 'other'
}

function faultOfAmount([amount, another]: string[] = []): LinkFault | null {
  if (amount === undefined) return null
  if (another !== undefined) return 'amountTwice'
  if (!/^[0-9]+$/.test(amount)) return 'amount'
  return Number.isSafeInteger(Number(amount)) ? null : 'amountTooLarge'
}

function faultOfOrder([id, another]: string[] = []): LinkFault | null {
  if (id === undefined) return null
  if (another !== undefined) return 'orderTwice'
  if (!isText(id, Number.POSITIVE_INFINITY)) return 'order'
  return isText(id, MAX_REFERENCE_LENGTH) ? null : 'orderTooLong'
}

function faultOfStrict([strict, another]: string[] = []): LinkFault | null {
  if (strict === undefined) return null
  if (another !== undefined) return 'strictTwice'
  return strict === 'true' || strict === 'false' ? null : 'strict'
}

/** Comes last: a URL that is wrong elsewhere has been found out by now. */
function faultOfExtra(given: URLSearchParams): LinkFault | null {
  const extra = [...given].filter(([name]) => !NAMED.includes(name))
  if (extra.length === 0) return null
  if (!extra.flat().every(text => isText(text, Number.POSITIVE_INFINITY))) return 'extra'
  return new Set(extra.map(([name]) => name)).size > MAX_EXTRA_NAMES ? 'extraTooMany' : 'extraTooLong'
}
