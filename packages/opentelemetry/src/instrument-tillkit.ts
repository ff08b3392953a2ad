import { metrics, trace } from '@opentelemetry/api'
import { backlog } from './backlog/backlog.ts'
import { attempts } from './instruments/attempts.ts'
import { connections } from './instruments/connections.ts'
import { payments } from './instruments/payments.ts'
import { requests } from './instruments/requests.ts'
import { statements } from './instruments/statements.ts'
import { turns } from './instruments/turns.ts'
import { checkOptions, type InstrumentOptions } from './options.ts'

/** What ends an instrumentation. */
export interface Instrumentation {
  /** Listens no more, and asks the till nothing more. Spans that are open then are not ended. Twice is the same as once. */
  disable(): void
}

/** What spans and measurements say that they are of. */
const SCOPE = '@tillkit/opentelemetry'

/**
 * Makes spans and measurements of all that Tillkit does in this process, of any till, handler and storage, until it is
 * disabled. Call it once, after the SDK has been started. What goes wrong in it is told to OpenTelemetry's `diag` and reaches
 * no payment. Throws `TillError` `invalid_input` naming the option that is wrong.
 */
export function instrumentTillkit(options: InstrumentOptions = {}): Instrumentation {
  const { till, tracerProvider, meterProvider, requests: ofRequests } = checkOptions(options)
  const tracer = (tracerProvider ?? trace.getTracerProvider()).getTracer(SCOPE)
  const meter = (meterProvider ?? metrics.getMeterProvider()).getMeter(SCOPE)
  const parts = { tracer, meter }
  const running = [
    ...(ofRequests ? [requests(parts)] : []),
    ...[payments, attempts, statements, connections, turns].map(instrument => instrument(parts)),
    ...(till === undefined ? [] : [backlog(till, meter)]),
  ]
  return {
    disable() {
      for (const stop of running.splice(0)) stop()
    },
  }
}
