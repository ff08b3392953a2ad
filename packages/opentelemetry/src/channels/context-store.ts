import { AsyncLocalStorage } from 'node:async_hooks'
import { type Context, context } from '@opentelemetry/api'

/**
 * What a channel's store is bound to: the context that OpenTelemetry has for what is done in between. So whatever else is
 * instrumented there, the host's own calls too, is part of the span.
 */
export class ContextStore extends AsyncLocalStorage<Context> {
  override run<Result>(active: Context, work: (...given: never[]) => Result, ...given: never[]): Result {
    return active === context.active() ? work(...given) : context.with(active, () => work(...given))
  }
}
