import { setTimeout as sleep } from 'node:timers/promises'
import { type Message, NoAnswer, type Received, type Transport } from './question.ts'

/** How fast questions may go out. */
export interface PaceOptions {
  requestsPerSecond: number
  /** For how long, in all, an instance that asks to wait is waited for. */
  patienceSeconds: number
}

/** The instance wants no more for longer than is waited. */
export class TooManyRequests extends Error {}

/**
 * Sends no faster than it may, waits where a 429 or 503 says for how long, and asks once more where a connection broke that
 * was kept from before.
 */
export function pacedTransport(
  send: Transport,
  { requestsPerSecond, patienceSeconds }: PaceOptions,
  onWait: (message: Message, received: Received) => void,
): Transport {
  let next = 0
  let patience = patienceSeconds

  async function turn(): Promise<void> {
    const now = performance.now()
    const at = Math.max(now, next)
    next = at + 1000 / requestsPerSecond
    if (at - now >= 1) await sleep(at - now)
  }

  return async message => {
    for (let again = 0; ; again++) {
      await turn()
      let received: Received
      try {
        received = await send(message)
      } catch (error) {
        const safe = message.method !== 'POST' || 'idempotency-key' in message.headers
        if (error instanceof NoAnswer && safe && again === 0) continue
        throw error
      }
      if (received.status !== 429 && received.status !== 503) return received
      const said = received.headers.get('retry-after')?.[0] ?? ''
      // What does not say when is for the rules to see; so is a database that stays away.
      if (!/^\d{1,9}$/.test(said) || (received.status === 503 && again > 2)) return received
      const seconds = Number(said)
      // Who says 0 each time is not asked for ever.
      const spent = Math.max(seconds, 1)
      if (spent > patience) {
        throw new TooManyRequests(`the instance asks to wait ${seconds} s, longer than this run may`)
      }
      onWait(message, received)
      patience -= spent
      await sleep(seconds * 1000)
    }
  }
}
