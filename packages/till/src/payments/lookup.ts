import { type Payment, TillError } from '@tillkit/domain'

/** What a host's lookup says of a payment: how it ended, that it is still under way, or that nobody knows of it. */
export type LookupAnswer =
  | {
      /** The customer was charged. */
      status: 'completed'
    }
  | {
      /** The customer was not charged, and will not be. */
      status: 'error'
      /** Why, kept with the payment: text of up to 255 characters. */
      failure?: string | null | undefined
    }
  | {
      /**
       * Still under way: it is asked about again in the next run. `redirect` and `action` are words for the same: the
       * customer is to go on elsewhere, as a page that sends them there is told.
       */
      status: 'pending' | 'redirect' | 'action'
    }
  | {
      /** The processor never heard of it, or cannot tell. */
      status: 'unknown'
    }

/** What a lookup is told beside the payment. */
export interface LookupContext {
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal
}

/** Asks the host's processor how a payment ended. */
export type Lookup = (payment: Payment, context: LookupContext) => LookupAnswer | Promise<LookupAnswer>

/** What is made of each status that there is. */
const STATUSES = new Map<unknown, Answered['status']>([
  ['completed', 'completed'],
  ['error', 'error'],
  ['pending', 'pending'],
  ['redirect', 'pending'],
  ['action', 'pending'],
  ['unknown', 'unknown'],
])

/** An answer as it came: of a failure it is not yet known whether it fits. */
export interface Answered {
  status: 'completed' | 'error' | 'pending' | 'unknown'
  failure: unknown
}

export function assertLookup(lookup: unknown): asserts lookup is Lookup {
  if (typeof lookup !== 'function') {
    throw new TillError('invalid_input', 'lookup must be a function that says how a payment ended')
  }
}

/**
 * Asks about one payment. Rejects when the lookup throws, answers nothing that it may, or has not answered within
 * `timeoutSeconds`, and when `stop` says that nobody waits any more.
 */
export async function ask(
  lookup: Lookup,
  payment: Payment,
  timeoutSeconds: number,
  stop: AbortSignal | undefined,
): Promise<Answered> {
  const controller = new AbortController()
  const { signal } = controller
  const late = () => controller.abort(new Error(`lookup did not answer within ${timeoutSeconds} s`))
  const stopped = () => controller.abort(stop?.reason)
  const timer = setTimeout(late, timeoutSeconds * 1000)
  stop?.addEventListener('abort', stopped, { once: true })
  const over = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  const answer = async () => lookup(payment, { signal })
  try {
    return checked(await Promise.race([answer(), over]))
  } finally {
    clearTimeout(timer)
    stop?.removeEventListener('abort', stopped)
  }
}

function checked(answer: unknown): Answered {
  const { status } = (answer ?? {}) as { status?: unknown }
  const known = STATUSES.get(status)
  if (known !== undefined) return { status: known, failure: failureOf(answer) }
  throw new Error('lookup must answer an object whose status is completed, error, pending or unknown')
}

/** Undefined where it cannot be read: that takes nothing from an outcome that is known. */
function failureOf(answer: unknown): unknown {
  try {
    return (answer as { failure?: unknown }).failure
  } catch {
    return undefined
  }
}
