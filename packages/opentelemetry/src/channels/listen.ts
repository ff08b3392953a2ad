import { tracingChannel } from 'node:diagnostics_channel'
import { type Context, context, diag } from '@opentelemetry/api'
import type { Traced } from '@tillkit/storage/channels'

/** What is done about the messages of one channel. */
export interface Hearing<Message, State> {
  /** A message comes; what it returns is remembered until the message's end. */
  begin(message: Message): State
  /** What is done meanwhile is done in this context; in the one that there is where it is left out. */
  within?(state: State): Context
  /** The message has its `result` or its `error`. */
  end(message: Message, state: State): void
}

/** What a tracing channel adds to a message. */
interface Ended extends Traced {
  error?: unknown
}

/**
 * Hears what begins and ends on a tracing channel until the function that is returned is called. What goes wrong in it is
 * OpenTelemetry's to tell of, and nothing of it reaches whoever publishes: Node ends a process for what a listener throws.
 */
export function listen<Message extends Ended, State>(
  name: string,
  { begin, within, end }: Hearing<Message, State>,
): () => void {
  const channel = tracingChannel<object, Message>(name)
  const key = Symbol(name)

  const begun = (message: Message) => {
    try {
      const state = begin(message)
      ;(message as Record<symbol, unknown>)[key] = state
      if (within !== undefined) enclose(message, within(state))
    } catch (error) {
      diag.error(`tillkit: ${name} was not begun`, error)
    }
  }
  const ended = (message: Message) => {
    const kept = message as Record<symbol, unknown>
    const state = kept[key] as State | undefined
    if (state === undefined) return
    kept[key] = undefined
    try {
      end(message, state)
    } catch (error) {
      diag.error(`tillkit: ${name} was not ended`, error)
    }
  }

  channel.start.subscribe(begun as never)
  channel.asyncEnd.subscribe(ended as never)
  return () => {
    channel.start.unsubscribe(begun as never)
    channel.asyncEnd.unsubscribe(ended as never)
  }
}

/**
 * What the message is about is done in this context, so that whatever else is instrumented there, the host's own calls too, is
 * part of the span.
 */
function enclose(message: Traced, active: Context): void {
  if (active === context.active()) return
  const { within: others } = message
  message.within = work => {
    try {
      context.with(active, others === undefined ? work : () => others(work))
    } catch (error) {
      diag.error('tillkit: a context could not be entered', error)
    }
  }
}

/** True where a message ended in an error. */
export function failed({ error }: Ended): boolean {
  return error !== undefined
}
