import { z } from 'zod'

/** True for an amount of money: a whole number of cents from 0 to 2^53 - 1. */
export function isAmount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/**
 * A sum of amounts as a number. Throws `RangeError` for one that no number holds: it would be wrong, and look right.
 *
 * @param sum - as it was added up, or as an engine writes it.
 */
export function exactSum(sum: bigint | number | string): number {
  const number = Number(sum)
  if (Number.isSafeInteger(number)) return number
  throw new RangeError(`a sum of ${sum} is more than 2^53 - 1, up to which amounts are exact`)
}

export const amount = z
  .custom<number>(isAmount, `must be an integer from 0 to ${Number.MAX_SAFE_INTEGER}`)
  .meta({ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
