/**
 * Who listens: nobody; a subscriber of every channel that only counts; the instrumentation without a tracer, for metrics
 * alone; or the instrumentation with a sampler that keeps one trace in a hundred, or all of them.
 */
export type Listening = 'none' | 'subscriber' | 'metrics' | 'one' | 'all'

/** What a server is told: who listens from now on; that counting begins; and that it is over. */
export type Turn = { listening: Listening } | { count: 'requests' | 'payments' } | 'end'

/** How many payments are started and completed: so many before it counts, and so many that do. */
export const PAYMENTS = 1000

/** The middle one. */
export function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}
