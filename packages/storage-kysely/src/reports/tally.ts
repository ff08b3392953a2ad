import type { Sums } from '@tillkit/domain'

/** A count and two sums as they are kept, in JSON: a sum that is more than a number holds exactly is a text. */
export type KeptTally = [count: number, totalAmount: number | string, tipAmount: number | string]

/** Adds up exactly. A `bigint` is only used where a number is not enough: adding with it takes ten times as long. */
class ExactSum {
  #few = 0
  #many = 0n

  add(amount: number): void {
    if (this.#few > Number.MAX_SAFE_INTEGER - amount) {
      this.#many += BigInt(this.#few)
      this.#few = 0
    }
    this.#few += amount
  }

  addKept(amount: number | string): void {
    if (typeof amount === 'number') this.add(amount)
    else this.#many += BigInt(amount)
  }

  get value(): bigint {
    return this.#many + BigInt(this.#few)
  }

  kept(): number | string {
    const value = this.value
    return value <= Number.MAX_SAFE_INTEGER ? Number(value) : `${value}`
  }
}

/** How many payments, and what they come to. */
export class Tally {
  #count = 0
  readonly #totals = new ExactSum()
  readonly #tips = new ExactSum()

  add(totalAmount: number, tipAmount: number | null): void {
    this.#count += 1
    this.#totals.add(totalAmount)
    if (tipAmount !== null) this.#tips.add(tipAmount)
  }

  addKept([count, totalAmount, tipAmount]: KeptTally): void {
    this.#count += count
    this.#totals.addKept(totalAmount)
    this.#tips.addKept(tipAmount)
  }

  kept(): KeptTally {
    return [this.#count, this.#totals.kept(), this.#tips.kept()]
  }

  sums(): Sums<bigint> {
    return { count: this.#count, totalAmount: this.#totals.value, tipAmount: this.#tips.value }
  }
}

/** The tally of a key, made when it is first asked for. */
export function tallyOf<Key>(tallies: Map<Key, Tally>, key: Key): Tally {
  let tally = tallies.get(key)
  if (!tally) {
    tally = new Tally()
    tallies.set(key, tally)
  }
  return tally
}
