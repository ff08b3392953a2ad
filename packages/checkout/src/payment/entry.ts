import { isText, MAX_REFERENCE_LENGTH } from '@tillkit/domain'
import type { Money } from '../money/money.ts'
import type { Scan } from './scan.ts'

/** What a customer filled in, as it was typed. */
export interface Filled {
  amount: string
  tip: string
  reference: string
  /** The total in cents that the page showed when the button was pressed; empty when it showed none. */
  total: string
}

export const NOTHING_FILLED: Filled = { amount: '', tip: '', reference: '', total: '' }

/** A field of the form that a customer fills in. */
export type Field = 'amount' | 'tip' | 'reference'

/** What is made of it. Cents; null where it is not known. */
export interface Entry {
  tip: number
  reference: string | null
  /** Amount and tip together; null while either cannot be read. */
  total: number | null
  /** The fields that cannot be read. */
  wrong: Field[]
  /** Whether the page showed this very total: nothing else may be charged. */
  agreed: boolean
}

/**
 * Reads what was filled in. An amount in the URL stands, whatever was typed; the tip and the reference count only where
 * the merchant has them (API 2.1).
 */
export function readEntry(filled: Filled, { merchant, parameters }: Scan, money: Money): Entry {
  const { tips, userReferences } = merchant.features
  const amount = parameters.requiredAmount ?? money.parse(filled.amount)
  const tip = !tips || filled.tip.trim() === '' ? 0 : money.parse(filled.tip)
  const reference = userReferences ? filled.reference.trim() : ''
  const sum = amount === null || tip === null ? null : amount + tip
  const total = sum !== null && sum > 0 && Number.isSafeInteger(sum) ? sum : null

  const wrong: Field[] = []
  if (tip === null) wrong.push('tip')
  if (!isText(reference, MAX_REFERENCE_LENGTH)) wrong.push('reference')
  if (parameters.requiredAmount === undefined && (amount === null || (tip !== null && total === null)))
    wrong.unshift('amount')
  return {
    tip: tip ?? 0,
    reference: reference === '' ? null : reference,
    total,
    wrong,
    agreed: wrong.length === 0 && total !== null && filled.total === String(total),
  }
}
