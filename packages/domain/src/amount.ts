import { z } from 'zod'

/** True for an amount of money: a whole number of cents from 0 to 2^53 - 1. */
export function isAmount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

export const amount = z
  .custom<number>(isAmount, `must be an integer from 0 to ${Number.MAX_SAFE_INTEGER}`)
  .meta({ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
