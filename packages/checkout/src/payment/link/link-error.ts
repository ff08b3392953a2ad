import { TillError } from '@tillkit/domain'

/** A payment URL that no payment could be started with. `message` is for developers; customers are told of the `fault`. */
export class LinkError extends TillError {
  /** What is wrong, for the texts of a page. */
  readonly fault: LinkFault

  constructor(fault: LinkFault, message: string) {
    super('invalid_input', message)
    this.fault = fault
  }
}

/** What can be wrong with a payment URL, each with words of its own for customers among the texts. */
export type LinkFault =
  | 'tooLong'
  | 'tooManyParameters'
  | 'amount'
  | 'amountTooLarge'
  | 'amountTooSmall'
  | 'amountTwice'
  | 'order'
  | 'orderTooLong'
  | 'orderTwice'
  | 'strict'
  | 'strictTwice'
  | 'extra'
  | 'extraTooMany'
  | 'extraTooLong'
  | 'signature'
  | 'expired'
  | 'other'
