import type { WireDate } from '@tillkit/domain'
import type { IdRange } from '@tillkit/storage'
import { idRange } from '../../payments/listing/id-range.ts'
import type { Database } from '../../session/database.ts'
import type { KeptBlock } from '../kept-block.ts'
import { uncovered } from '../uncovered.ts'
import type { KeptTakings } from './step-sums.ts'

/** Two dates; the second one is no longer part of what is between. */
export interface Ends {
  from: WireDate
  to: WireDate
}

/** Of a merchant's payments a run in which all are that were started between two dates. */
export interface Span extends IdRange {
  merchantId: string
  /** What is kept of some of them, by their ids. */
  blocks: KeptBlock<KeptTakings>[]
}

/** So many payments are read and looked at by their dates for what it costs to find out where the dates begin and end. */
const LOOKED_AT = 4096

/**
 * The runs of a span's payments that have to be read: those that no block covers. Where the dates lie among the ids blocks mostly
 * tell; where they leave many open, the index of dates does.
 */
export function runsOf(database: Database): (span: Span, ends: Ends) => Promise<IdRange[]> {
  const findRange = idRange(database)

  return async ({ merchantId, blocks, first, last }, { from, to }) => {
    const range = { first, last }
    for (const block of blocks) {
      if (block.from < from) range.first = Math.max(range.first, block.first)
      if (block.to >= to) range.last = Math.min(range.last, block.last)
    }
    const runs = uncovered(range, blocks)
    if (lengthOf(runs) <= LOOKED_AT) return runs
    const found = await findRange(merchantId, { startDate: from, endDate: to })
    if (found === null) return []
    range.first = Math.max(range.first, found.first)
    range.last = Math.min(range.last, found.last)
    return uncovered(range, blocks)
  }
}

function lengthOf(runs: readonly IdRange[]): number {
  return runs.reduce((length, { first, last }) => length + last - first + 1, 0)
}
