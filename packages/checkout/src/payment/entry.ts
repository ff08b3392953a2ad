import { isText, MAX_REFERENCE_LENGTH } from '@tillkit/domain'
import type { Money } from '../money/money.ts'
import type { KnownShop } from '../shop/shop.ts'
import { tipCents, tipName } from '../shop/tips.ts'
import type { Scan } from './scan.ts'

/** What a customer filled in, as it was typed. */
export interface Filled {
  amount: string
  tip: string
  /** The tip that was chosen, by its name; empty for none, `other` for the one that was typed. */
  tipChoice: string
  reference: string
  /** The total in cents that the page showed when the button was pressed; empty when it showed none. */
  total: string
  /** Which of the amounts that the customer may have typed was meant, in cents, where that was asked. */
  amountMeant: string
  /** The same of the tip. */
  tipMeant: string
}

export const NOTHING_FILLED: Filled = {
  ...{ amount: '', tip: '', tipChoice: '', reference: '', total: '', amountMeant: '', tipMeant: '' },
}

/** A field of the form that a customer fills in. */
export type Field = 'amount' | 'tip' | 'reference'

/** What is wrong with a field. */
export interface FieldFault {
  field: Field
  /** It is none, it can mean several, or it makes the total too low or too high. */
  fault: 'unreadable' | 'unclear' | 'tooLow' | 'tooHigh'
  /** What it may mean, in cents, where that is unclear. */
  either: number[]
}

/** What is made of it. Cents; null where it is not known. */
export interface Entry {
  amount: number | null
  tip: number
  reference: string | null
  /** Amount and tip together; null while either cannot be read. */
  total: number | null
  /** The fields that cannot be taken. */
  wrong: FieldFault[]
  /** Whether the total is too low for this shop, with no field to say it at. */
  tooLow: boolean
  /** Whether the page showed this very total: nothing else may be charged. */
  agreed: boolean
}

/** Reads what was filled in, with what was meant where the customer was asked in its place. */
export function withMeanings(filled: Filled, money: Money): Filled {
  const meant = (text: string, given: string) => {
    const cents = money.guesses(text).find(guess => String(guess) === given)
    return cents === undefined ? text : money.typed(cents)
  }
  return {
    ...filled,
    amount: meant(filled.amount, filled.amountMeant),
    tip: meant(filled.tip, filled.tipMeant),
  }
}

/**
 * Reads what was filled in. An amount in the URL stands, whatever was typed; the tip and the reference count only where
 * the merchant has them (API 2.1).
 */
export function readEntry(
  filled: Filled,
  { merchant, parameters }: Scan,
  shop: KnownShop,
  money: Money,
): Entry {
  const { tips, userReferences } = merchant.features
  const asked = parameters.requiredAmount === undefined
  const amount = parameters.requiredAmount ?? money.parse(filled.amount)
  const tip = tips ? tipOf(filled, amount, shop, money) : 0
  const reference = userReferences ? filled.reference.trim() : ''
  const sum = amount === null || tip === null ? null : amount + tip
  const total = sum !== null && sum > 0 && Number.isSafeInteger(sum) ? sum : null
  const tooLow = total !== null && total < shop.minimumAmount

  const wrong: FieldFault[] = []
  if (asked && amount === null) wrong.push(unread('amount', filled.amount, money))
  else if (asked && tip !== null && total === null) wrong.push(fault('amount', 'unreadable'))
  else if (asked && tooLow) wrong.push(fault('amount', 'tooLow'))
  else if (asked && amount !== null && amount > shop.maximumAmount) wrong.push(fault('amount', 'tooHigh'))
  if (tip === null && !(amount === null && isPreset(filled, shop)))
    wrong.push(unread('tip', filled.tip, money))
  else if (sum !== null && sum > shop.maximumAmount && wrong.length === 0) wrong.push(fault('tip', 'tooHigh'))
  if (!isText(reference, MAX_REFERENCE_LENGTH)) wrong.push(fault('reference', 'unreadable'))
  return {
    amount,
    tip: tip ?? 0,
    reference: reference === '' ? null : reference,
    total,
    wrong,
    tooLow: tooLow && !asked,
    agreed: wrong.length === 0 && !tooLow && total !== null && filled.total === String(total),
  }
}

/** Cents; null for a tip that cannot be read, or that hangs on an amount that cannot. A tip that is typed is what is meant. */
function tipOf(filled: Filled, amount: number | null, shop: KnownShop, money: Money): number | null {
  if (filled.tip.trim() !== '') return money.parse(filled.tip)
  const chosen = shop.tips.find(preset => tipName(preset) === filled.tipChoice)
  return chosen === undefined ? 0 : tipCents(chosen, amount)
}

function isPreset(filled: Filled, { tips }: KnownShop): boolean {
  return filled.tip.trim() === '' && tips.some(preset => tipName(preset) === filled.tipChoice)
}

function unread(field: 'amount' | 'tip', text: string, money: Money): FieldFault {
  const either = money.guesses(text)
  return either.length > 0 ? { field, fault: 'unclear', either } : fault(field, 'unreadable')
}

function fault(field: Field, fault: FieldFault['fault']): FieldFault {
  return { field, fault, either: [] }
}
