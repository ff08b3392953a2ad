import type { TracingChannel } from 'node:diagnostics_channel'

/** What a message has that is about work, for whoever traces. */
export interface Traced {
  /**
   * To be written by a listener of `start`: what the work is done in, in a context of his, say. It calls what it is handed, and
   * returns. Who finds one there calls it within his own.
   */
  within?: ((work: () => void) => void) | undefined
}

/**
 * Does work, tells a channel of it, and does it where a listener says. Not by stores that are bound to the channel alone: of
 * Node 26 on those are entered and left without a call, and OpenTelemetry enters a context by a call.
 */
export function traced<Message extends Traced, Result>(
  channel: TracingChannel<object, Message>,
  message: Message,
  work: () => Promise<Result>,
): Promise<Result> {
  return channel.tracePromise(() => {
    let begun: Promise<Result> | undefined
    // Once, whatever the listener does.
    const begin = () => {
      begun ??= work()
      return begun
    }
    if (typeof message.within !== 'function') return begin()
    try {
      message.within(begin)
    } catch (error) {
      // As Node does with what a listener throws: it reaches nobody who pays.
      process.nextTick(() => {
        throw error
      })
    }
    return begin()
  }, message)
}
