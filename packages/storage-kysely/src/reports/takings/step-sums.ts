import type { Payment, Sums, WireDate } from '@tillkit/domain'
import { type KeptTally, Tally, tallyOf } from '../tally.ts'

/** What was taken in each quarter of an hour in which something was, as it is kept. */
export type KeptTakings = [quarter: number, tally: KeptTally][]

const QUARTER = 900

const secondsOf = (date: WireDate) => Date.parse(date) / 1000

/** What the completed ones of some payments come to, by the quarter of an hour since 1970 that they were started in. */
export function keptTakings(payments: readonly Payment[]): KeptTakings {
  const quarters = new Map<number, Tally>()
  for (const { status, date, totalAmount, tipAmount } of payments) {
    if (status !== 'completed') continue
    tallyOf(quarters, Math.floor(secondsOf(date) / QUARTER)).add(totalAmount, tipAmount)
  }
  return [...quarters].map(([quarter, tally]) => [quarter, tally.kept()])
}

/** What was taken between each two of some bounds, which are whole quarters of an hour. */
export class StepSums {
  readonly #bounds: number[]
  readonly #tallies: Tally[]

  constructor(bounds: readonly WireDate[]) {
    this.#bounds = bounds.map(secondsOf)
    this.#tallies = bounds.slice(1).map(() => new Tally())
  }

  add({ date, totalAmount, tipAmount }: Payment): void {
    this.#at(secondsOf(date))?.add(totalAmount, tipAmount)
  }

  addKept(takings: KeptTakings): void {
    for (const [quarter, tally] of takings) this.#at(quarter * QUARTER)?.addKept(tally)
  }

  sums(): Sums<bigint>[] {
    return this.#tallies.map(tally => tally.sums())
  }

  /** The step that a second lies in. */
  #at(second: number): Tally | undefined {
    let [low, high] = [0, this.#bounds.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#bounds[middle] as number) <= second) low = middle + 1
      else high = middle
    }
    return this.#tallies[low - 1]
  }
}
