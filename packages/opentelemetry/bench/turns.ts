/**
 * Who listens: nobody; a subscriber of every channel that only counts; the instrumentation without a tracer, for metrics
 * alone; or the instrumentation with a sampler that keeps one trace in a hundred, or all of them.
 */
export type Listening = 'none' | 'subscriber' | 'metrics' | 'one' | 'all'

/** What a server is told to do. */
export interface Turn {
  listening: Listening
  /** How many payments it starts and completes by itself. */
  payments: number
}

/** The middle one. */
export function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}
