import {
  type DeliveryAttempt,
  type DeliveryKey,
  type Instant,
  type PausedEndpoint,
  TillError,
} from '@tillkit/domain'
import { messageOf } from '../error-message.ts'
import type { Logger } from '../options.ts'

/** An attempt that was made and written down. */
export interface AttemptEvent extends DeliveryKey, DeliveryAttempt {
  /** Which attempt it was, from 1, since the delivery was written or sent again. */
  number: number
  /** When it is tried again; null when it is not. */
  nextAttemptAt: Instant | null
}

/** What `till.webhooks.on` tells of, by name. */
export interface WebhookEvents {
  /** A receiver answered with success. */
  delivered: AttemptEvent
  /** An attempt failed, the last one included. */
  attemptFailed: AttemptEvent
  /** The last attempt failed, or the receiver answered 410: it is not tried again by itself. */
  exhausted: AttemptEvent
  /** An endpoint has only failed for five days: nothing is sent to it until it is woken. */
  paused: PausedEndpoint
}

export type WebhookEventName = keyof WebhookEvents

const NAMES: readonly WebhookEventName[] = ['delivered', 'attemptFailed', 'exhausted', 'paused']
/** Hears of one kind of event; what it returns is not looked at. */
export type WebhookListener<Name extends WebhookEventName> = (event: WebhookEvents[Name]) => unknown

/** Who listens to what. */
export interface Events {
  /** Calls `listener` from now on; what is returned ends it. Throws `invalid_input` for a name that there is not. */
  on<Name extends WebhookEventName>(name: Name, listener: WebhookListener<Name>): () => void
  /** Tells all listeners. One that throws or rejects is logged and harms nobody. */
  emit<Name extends WebhookEventName>(name: Name, event: WebhookEvents[Name]): void
}

export function createEvents(logger: Logger): Events {
  const listeners = new Map<WebhookEventName, Set<{ call: (event: never) => unknown }>>()

  const tell = async (name: WebhookEventName, call: () => unknown) => {
    try {
      await call()
    } catch (error) {
      logger.error({ event: name, error: messageOf(error) }, 'webhook listener failed')
    }
  }

  return {
    on(name, listener) {
      if (!NAMES.includes(name)) {
        throw new TillError('invalid_input', `an event of webhooks must be one of ${NAMES.join(', ')}`)
      }
      if (typeof listener !== 'function') {
        throw new TillError('invalid_input', `the listener of ${name} must be a function`)
      }
      const entry = { call: listener }
      const all = listeners.get(name) ?? new Set()
      listeners.set(name, all.add(entry))
      return () => {
        all.delete(entry)
      }
    },
    emit(name, event) {
      for (const { call } of [...(listeners.get(name) ?? [])]) {
        void tell(name, () => call({ ...event } as never))
      }
    },
  }
}
