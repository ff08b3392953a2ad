import { StripeError } from './stripe-error.ts'

/** An answer as it was given. */
export interface Answered {
  status: number
  body: string
}

/**
 * Answers each idempotency key once: again with the same request it repeats what it answered, errors and all, with another
 * it refuses, and while the first is under way it is a conflict. What was refused before it was begun with is not kept.
 */
export function createIdempotency() {
  const keys = new Map<string, { request: string; answered: Answered | null }>()

  return {
    async once(
      key: string | undefined,
      request: string,
      execute: () => Promise<Answered & { begun: boolean }>,
    ): Promise<Answered & { replayed: boolean }> {
      if (key === undefined) return { ...(await execute()), replayed: false }
      const kept = keys.get(key)
      if (kept && kept.request !== request) {
        const message =
          'Keys for idempotent requests can only be used with the same parameters they were first used with.'
        throw new StripeError(400, { type: 'idempotency_error', message })
      }
      if (kept?.answered === null) {
        const message = 'There is currently another in-progress request using this Idempotent Key.'
        throw new StripeError(409, { type: 'idempotency_error', code: 'idempotency_key_in_use', message })
      }
      if (kept?.answered) return { ...kept.answered, replayed: true }
      const entry: { request: string; answered: Answered | null } = { request, answered: null }
      keys.set(key, entry)
      const { begun, ...answered } = await execute()
      if (begun) entry.answered = answered
      else keys.delete(key)
      return { ...answered, replayed: false }
    },

    /** As Stripe does with keys that are a day old. */
    forget: () => keys.clear(),
  }
}
