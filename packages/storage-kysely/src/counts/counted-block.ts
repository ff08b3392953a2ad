import type { Selectable } from 'kysely'
import type { Tables } from '../schema/tables.ts'

/** What is known for ever of the payments up to an id: see `payment_blocks` among the tables. */
export interface CountedBlock {
  upTo: number
  errors: number
  unresolved: number[]
}

/** The one before all payments. */
export const NOTHING_COUNTED: CountedBlock = { upTo: 0, errors: 0, unresolved: [] }

type BlockRow = Pick<Selectable<Tables['payment_blocks']>, 'up_to' | 'errors' | 'unresolved'>

export function toCountedBlock({ up_to, errors, unresolved }: BlockRow): CountedBlock {
  return {
    upTo: Number(up_to),
    errors: Number(errors),
    unresolved: unresolved === '' ? [] : unresolved.split(',').map(Number),
  }
}
