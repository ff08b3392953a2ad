import { type Expression, type RawBuilder, sql } from 'kysely'

/**
 * What PostgreSQL's indexes of the exact filters hold in place of an id: the same for 256 of them in a row. Entries that are
 * alike it keeps as one, so that a value that comes often takes a few bytes a payment, and not a whole entry.
 */
export function idBlock(id: Expression<unknown> | number = sql.ref('id')): RawBuilder<number> {
  return sql`(${id} >> 8)`
}

/** The end of a query in order of blocks: so many rows, and what else is in the block of the last. */
export function blocksOf(count: number): RawBuilder<unknown> {
  return sql`fetch first ${count} rows with ties`
}

/** What such a query calls the block of a row, so that around it, as `source`, each block is put in order by itself. */
export const BLOCK = 'block'
export const BLOCK_OF_SOURCE = sql.ref<number>(`source.${BLOCK}`)
