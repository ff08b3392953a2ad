import { LinkError } from '../payment/link/link-error.ts'
import type { Scan } from '../payment/scan.ts'
import type { KnownShop } from './shop.ts'

/** Throws `LinkError` for an amount in a payment URL that its shop does not take. A tip may still make one that is low enough. */
export function checkAmount(
  { merchant, parameters }: Scan,
  { minimumAmount, maximumAmount }: KnownShop,
): void {
  const { requiredAmount } = parameters
  if (requiredAmount === undefined) return
  if (requiredAmount > maximumAmount)
    throw new LinkError('amountTooLarge', `amount must be at most ${maximumAmount} here`)
  // What costs nothing is said to cost nothing.
  if (requiredAmount > 0 && requiredAmount < minimumAmount && !merchant.features.tips)
    throw new LinkError('amountTooSmall', `amount must be at least ${minimumAmount} here`)
}
