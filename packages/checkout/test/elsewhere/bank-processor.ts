import { idempotencyKey, type PaymentLookup, type PaymentProcessor } from '@tillkit/checkout'

/** A processor that has a bank over HTTP, which may have its customers confirm. */
export function bankProcessor(url: string): PaymentProcessor & { lookup: PaymentLookup } {
  const chargeOf = (name: string) => `${url}/charges/${encodeURIComponent(name)}`

  async function outcomeOf(answer: Response) {
    const { state, ...step } = (await answer.json()) as {
      state: string
      url: string
      fields?: Record<string, string>
    }
    if (state === 'approved') return { status: 'completed' } as const
    if (state === 'declined') return { status: 'error', failure: 'declined_at_bank' } as const
    if (state === 'under way') return { status: 'pending' } as const
    if (state !== 'confirm') throw new Error(`the bank answered ${state}`)
    if (step.fields) return { status: 'action', url: step.url, fields: step.fields } as const
    return { status: 'redirect', url: step.url } as const
  }

  return {
    async charge({ totalAmount: cents }, { idempotencyKey, returnUrl, signal }) {
      const body = JSON.stringify({ cents, returnUrl })
      return outcomeOf(await fetch(chargeOf(idempotencyKey), { method: 'PUT', body, signal }))
    },
    async lookup(payment, { signal }) {
      const answer = await fetch(chargeOf(idempotencyKey(payment)), { signal })
      return answer.status === 404 ? { status: 'unknown' } : outcomeOf(answer)
    },
  }
}
