/**
 * Who listens: nobody; a subscriber of every channel that only counts; the instrumentation without a tracer, for metrics
 * alone; or the instrumentation with a sampler that keeps one trace in a hundred, or all of them.
 */
export type Listening = 'none' | 'subscriber' | 'metrics' | 'one' | 'all'

/** Microseconds for one, of each turn. */
export type Found = Record<Listening, number[]>

/** What a server is told: who listens from now on; that counting begins; that it is over; or to take turns with payments. */
export type Turn = { listening: Listening } | 'begin' | 'end' | { turns: number; of: readonly Listening[] }

/** So many rounds do not count: the engine has to learn what each listener adds. */
const FIRST = 20

/** Takes turns, in rounds of which each has another go first. */
export async function inTurns(
  rounds: number,
  listening: readonly Listening[],
  turn: (who: Listening) => Promise<number>,
): Promise<Found> {
  const found: Found = { none: [], subscriber: [], metrics: [], one: [], all: [] }
  for (let round = -FIRST; round < rounds; round++) {
    for (let n = 0; n < listening.length; n++) {
      const who = listening[(n + round + FIRST) % listening.length] as Listening
      const microseconds = await turn(who)
      if (round >= 0) found[who].push(microseconds)
    }
  }
  return found
}

/** The middle one. */
export function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}
