import { DIFFERENCE_REASONS, type DifferenceReason } from '@tillkit/domain'
import type { ImportEnd } from '@tillkit/storage'
import { tell } from '../tell.ts'
import { handedBack, type NumberedRow } from './batches/rows.ts'
import { unlessAborted } from './batches/until-aborted.ts'
import type { Difference, Imported, ImportProgress } from './calls.ts'

/** How many differences are returned: a file that is all wrong fills no memory. */
const MOST_DIFFERENCES = 10_000

/** Who hears of it. */
interface Hears {
  onProgress?: ((progress: ImportProgress) => unknown) | undefined
  onDifference?: ((difference: Difference) => unknown) | undefined
}

/** Counts what came of rows. Those of a batch come in any order; what they differ in is told in theirs. */
export class Tally {
  readonly #onProgress: Hears['onProgress']
  readonly #onDifference: (difference: Difference) => unknown
  readonly #differing = Object.fromEntries(DIFFERENCE_REASONS.map(why => [why, 0])) as Imported['differing']
  readonly #differences: Difference[] = []
  #batch: { n: number; difference: Difference }[] = []
  #settled = 0
  #already = 0

  constructor({ onProgress, onDifference = () => {} }: Hears) {
    this.#onProgress = onProgress
    this.#onDifference = onDifference
  }

  settled(count: number): void {
    this.#settled += count
  }

  already(): void {
    this.#already += 1
  }

  differs(one: NumberedRow, why: DifferenceReason, payment?: Difference['payment']): void {
    this.#differing[why] += 1
    this.#batch.push({ n: one.n, difference: { row: handedBack(one), why, ...(payment && { payment }) } })
  }

  /** At the end of a batch. Throws the reason of `signal`, also while a listener is waited for. */
  async tell(signal: AbortSignal | undefined): Promise<void> {
    const inOrder = this.#batch.sort((a, b) => a.n - b.n)
    this.#batch = []
    for (const { difference } of inOrder) {
      if (this.#differences.length < MOST_DIFFERENCES) this.#differences.push(difference)
      signal?.throwIfAborted()
      const heard = this.#onDifference(difference)
      await (signal ? unlessAborted(heard, signal) : heard)
    }
    tell(this.#onProgress, { ...this.end(), settled: this.#settled, already: this.#already })
  }

  end(): ImportEnd {
    const differences = Object.values(this.#differing).reduce((sum, count) => sum + count, 0)
    return { rows: this.#settled + this.#already + differences, differences }
  }

  counts(): Omit<Imported, 'left'> {
    return {
      settled: this.#settled,
      already: this.#already,
      differences: this.#differences,
      differing: { ...this.#differing },
    }
  }
}
