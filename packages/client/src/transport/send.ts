import { ApiError } from '../api-error.ts'
import type { Settings } from '../settings.ts'
import { type Answer, readAnswer } from './answer.ts'
import { attempt } from './attempt.ts'
import { type Deadline, deadlineIn, pause } from './deadline.ts'
import type { ApiRequest } from './request.ts'
import { asTold, backoff } from './retry-delay.ts'

/** What every call takes. */
export interface CallOptions {
  /** Ends the call, wherever it is, waiting included: it rejects with the signal's reason. */
  signal?: AbortSignal | undefined
}

/** A hung connection has to leave time for another. */
const ATTEMPTS_IN_A_DEADLINE = 3

/**
 * Sends a request until it is answered, as often and as long as the settings allow: again after a network error, a 429 and a
 * 5xx, after `Retry-After` or with growing, random pauses. Only for what may be repeated.
 */
export function send(request: ApiRequest, settings: Settings, { signal }: CallOptions = {}): Promise<Answer> {
  return sendBefore(request, settings, deadlineIn(settings.timeoutSeconds, signal))
}

/** `send`, until a deadline that is kept elsewhere. */
export async function sendBefore(
  request: ApiRequest,
  settings: Settings,
  deadline: Deadline,
): Promise<Answer> {
  const longest = (settings.timeoutSeconds * 1000) / ATTEMPTS_IN_A_DEADLINE
  for (let number = 1; ; number++) {
    try {
      const milliseconds = Math.max(0, Math.min(longest, deadline.left()))
      return readAnswer(await attempt(request, settings, milliseconds, deadline.signal), request, settings)
    } catch (error) {
      if (!(error instanceof ApiError) || !passes(error) || number > settings.retries) throw error
      // "At once" is no time that a busy server needs, nor is a date that is over.
      const wait = error.retryAfter ? asTold(error.retryAfter) : backoff(number)
      if (wait >= deadline.left()) throw error
      await pause(wait, deadline.signal)
    }
  }
}

/** Whether asking again may end otherwise. `not_ready` is waited for by who asks for that. */
export function passes({ status, code }: ApiError): boolean {
  if (code === 'not_ready') return false
  return code === 'network' || code === 'timeout' || status === 408 || status === 429 || status >= 500
}
