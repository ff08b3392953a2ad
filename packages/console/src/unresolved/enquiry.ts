import type { Lookup, LookupAnswer, Payment, Reconciled, Till } from '@tillkit/till'
import { LRUCache } from 'lru-cache'

/** What the processor last said of a payment. */
interface Said {
  /** When it was asked: UTC, to the millisecond, by this machine's clock. */
  at: string
  /** What it answered; `error` of a lookup that threw is `no answer`. */
  answer: LookupAnswer['status'] | 'no answer'
}

/** Asks the host's processor about payments without an outcome, and remembers what it said of each. */
export interface Enquiry {
  /** Asks about all that have been pending for so long, records what is known, and returns how many were asked about. */
  ask(olderThanSeconds: number): Promise<number>
  /** What was said of a payment, to this process. */
  of(payment: Pick<Payment, 'merchantId' | 'id'>): Said | undefined
  /** What the last run came to; null before the first. */
  last(): Reconciled | null
}

const REMEMBERED = 10_000

export function createEnquiry(till: Till, lookup: Lookup | undefined): Enquiry | null {
  if (lookup === undefined) return null
  const said = new LRUCache<string, Said>({ max: REMEMBERED })
  let last: Reconciled | null = null

  const heard: Lookup = async (payment, context) => {
    const remember = (answer: Said['answer']) =>
      said.set(nameOf(payment), { at: new Date().toISOString(), answer })
    try {
      const answer = await lookup(payment, context)
      remember(answer.status)
      return answer
    } catch (error) {
      remember('no answer')
      throw error
    }
  }

  return {
    async ask(olderThanSeconds) {
      last = await till.payments.reconcile(heard, { olderThanSeconds })
      const { completed, failed, pending, unknown, errors } = last
      return completed + failed + pending + unknown + errors
    },
    of: payment => said.get(nameOf(payment)),
    last: () => last,
  }
}

function nameOf({ merchantId, id }: Pick<Payment, 'merchantId' | 'id'>): string {
  return `${merchantId} ${id}`
}
