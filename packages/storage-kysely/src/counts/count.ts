import type { IdRange } from '@tillkit/storage'
import type { RawBuilder } from 'kysely'
import type { Values } from '../payments/listing/passing.ts'

/** Where blocks end beside a run of ids, and the payments that only the last or only the first of them names. */
export interface BlockEnds {
  oldest: number
  afterNewest: number
  /** Ids with commas between. */
  late: string
  early: string
}

/** What is counted, in which run of ids, beside which blocks. */
export type CountParameters = Values & IdRange & BlockEnds

/** How to count in a run of ids: a part of a statement, which may be all of it. */
export interface Count {
  /** Names it among prepared forms: what has one name differs in its values alone. */
  form: string
  expression(p: CountParameters): RawBuilder<number>
  ends: BlockEnds
  /** What is known before it is counted. */
  known: number
}

/** Of a count that goes by no blocks. */
export const NO_BLOCKS: BlockEnds = { oldest: 0, afterNewest: 1, late: '', early: '' }
