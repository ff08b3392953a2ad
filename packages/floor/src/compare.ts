import type { Contender } from './contender.ts'
import { load, type Round } from './load.ts'
import type { Ask, Scenario } from './scenarios.ts'

/** Who is asked, and for what. */
export interface Turn {
  contender: Contender
  once(ask: Ask): Promise<number>
}

/** How long and how often is measured. */
export interface Patience {
  milliseconds: number
  rounds: number
}

/** For how long each is asked first in a turn of its own, in milliseconds. */
const WARM_UP = 3000

/** For how long it is asked before its processor time is looked at again, and how often at most. */
const [SLICE, SLICES] = [2500, 10]

/**
 * Asks a contender that has just begun for each kind of request until one takes it no less processor time than a moment before: the
 * engine compiles for many seconds, and what is more code for longer.
 */
export async function warmUp(contender: Contender, scenarios: Scenario[]): Promise<void> {
  for (const { once } of scenarios) {
    let before = Number.POSITIVE_INFINITY
    for (let slice = 0; slice < SLICES; slice++) {
      const { cpu } = await load(contender, once, 32, SLICE)
      if (cpu > 0.97 * before) break
      before = cpu
    }
  }
}

/**
 * Takes turns, so that whatever else the machine is doing meets all alike; the first turn of each warms up and does not
 * count.
 */
export async function inTurns(
  turns: Turn[],
  connections: number,
  { milliseconds, rounds }: Patience,
): Promise<Round[][]> {
  const measured: Round[][] = turns.map(() => [])
  for (let n = 0; n <= rounds; n++) {
    for (const [place, { contender, once }] of turns.entries()) {
      const round = await load(contender, once, connections, n === 0 ? WARM_UP : milliseconds)
      if (n > 0) measured[place]?.push(round)
    }
  }
  return measured
}

export const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** How many times as fast the first rounds are as the second, round by round. */
export function ratioOf(ours: Round[] = [], theirs: Round[] = []): number {
  return median(ours.map((round, n) => round.perSecond / (theirs[n]?.perSecond ?? Number.NaN)))
}

/** The latency that so large a part of all calls was below, in milliseconds. */
export function percentile(rounds: Round[], part: number): number {
  const all = rounds.flatMap(({ latencies }) => latencies).sort((a, b) => a - b)
  return all[Math.min(all.length - 1, Math.floor(all.length * part))] ?? Number.NaN
}
