import { z } from 'zod'

/** What `till.webhooks.run` takes. */
export const runOptions = z.strictObject({
  signal: z.custom<AbortSignal>(value => value instanceof AbortSignal, 'must be an AbortSignal').optional(),
})
