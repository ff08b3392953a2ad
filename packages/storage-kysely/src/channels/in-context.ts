import { AsyncResource } from 'node:async_hooks'
import { statementChannel } from '@tillkit/storage/channels'

/** Does work in the context in which something was asked for; null is the context that there is. */
export type Resume = (<Result>(work: () => Result) => Result) | null

/**
 * The context of whoever asks now, for work that is done later and beside other work: so a statement is part of the trace of
 * its caller. Null where nobody listens.
 */
export function contextOfCaller(): Resume {
  if (!statementChannel.hasSubscribers) return null
  // Not AsyncLocalStorage.snapshot(), which makes the same and defines properties of a function besides: fifty times as slow.
  const caller = new AsyncResource('TillkitCaller')
  return work => caller.runInAsyncScope(work)
}
