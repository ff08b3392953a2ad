import {
  isText,
  MAX_EXTRA_NAMES,
  MAX_REFERENCE_LENGTH,
  VOCABULARY,
  type Vocabulary,
  wordOf,
} from '@tillkit/domain'
import type { LinkFault } from './link-error.ts'

/** What it is that makes a payment URL one to start no payment with, told from its query and not from an error's words. */
export function faultOf(query: string, vocabulary?: Vocabulary): LinkFault {
  const given = new URLSearchParams(query)
  const own = ['amount', 'id', 'strict'] as const
  const [amount, id, strict] = own.map(name => given.getAll(wordOf(vocabulary, name)))
  const named = VOCABULARY.paymentUrl.map(name => wordOf(vocabulary, name))
  return (
    faultOfAmount(amount) ??
    faultOfOrder(id) ??
    faultOfStrict(strict) ??
    faultOfExtra(given, named) ??
    'other'
  )
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
function faultOfExtra(given: URLSearchParams, named: readonly string[]): LinkFault | null {
  const extra = [...given].filter(([name]) => !named.includes(name))
  if (extra.length === 0) return null
  if (!extra.flat().every(text => isText(text, Number.POSITIVE_INFINITY))) return 'extra'
  return new Set(extra.map(([name]) => name)).size > MAX_EXTRA_NAMES ? 'extraTooMany' : 'extraTooLong'
}
