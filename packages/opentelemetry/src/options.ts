import type { MeterProvider, TracerProvider } from '@opentelemetry/api'
import { validate } from '@tillkit/domain'
import type { Till } from '@tillkit/till'
import { z } from 'zod'

/** The part of a till that is asked how much there is to do. */
export interface WatchedTill {
  /** Asked for `counts`. */
  webhooks: Pick<Till['webhooks'], 'counts'>
  /** Asked for the one payment that has been pending the longest. */
  payments: Pick<Till['payments'], 'unresolved'>
  /** What its times are compared with. */
  now: Till['now']
}

/** What `instrumentTillkit` takes. */
export interface InstrumentOptions {
  /**
   * The till whose backlog is measured: the age of what is pending, deliveries due, their lag. Left out, nothing is asked and
   * those gauges are not there. They are the same in every process on one storage, so one process is enough.
   */
  till?: WatchedTill | undefined
  /** Where spans go; the provider that is registered with the API when left out. */
  tracerProvider?: TracerProvider | undefined
  /** Where measurements go; the provider that is registered with the API when left out. */
  meterProvider?: MeterProvider | undefined
  /**
   * False to leave out the spans and `http.server.request.duration` of requests, for a host whose own instrumentation has
   * them; true when left out.
   */
  requests?: boolean | undefined
}

/** Something with these methods. */
function having<Thing>(what: string, ...methods: string[]) {
  return z.custom<Thing>(
    value =>
      methods.every(method => typeof (value as Record<string, unknown> | null)?.[method] === 'function'),
    `must be ${what}`,
  )
}

const instrumentOptions = z.strictObject({
  till: z.custom<WatchedTill>(isTill, 'must be a till, as createTill makes it').optional(),
  tracerProvider: having<TracerProvider>('a TracerProvider', 'getTracer').optional(),
  meterProvider: having<MeterProvider>('a MeterProvider', 'getMeter').optional(),
  requests: z.boolean('must be true or false').default(true),
})

function isTill(value: unknown): boolean {
  const { webhooks, payments, now } = (value ?? {}) as Partial<
    Record<keyof WatchedTill, Record<string, unknown>>
  >
  return [webhooks?.counts, payments?.unresolved, now].every(call => typeof call === 'function')
}

/** Checks the options of `instrumentTillkit`. Throws `TillError` `invalid_input` naming the one that is wrong. */
export function checkOptions(options: InstrumentOptions) {
  return validate(instrumentOptions, options, 'the options of instrumentTillkit')
}
