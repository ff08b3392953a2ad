import { type RawBuilder, sql } from 'kysely'

/** So many fit an integer of four bytes, with room for the leases that follow. */
const FIRST_FENCES = 2 ** 30

/**
 * The fence that a new delivery begins with, and each lease of it counts on from: a number by chance, so that no lease of another
 * delivery holds this one, which may have got its payment's id since: that one was purged, or a failover or a backup lost it.
 */
export function firstFence(): number {
  return 1 + Math.floor(Math.random() * FIRST_FENCES)
}

/** The same as PostgreSQL draws it. */
export const FIRST_FENCE = `1 + floor(random() * ${FIRST_FENCES})::bigint`

/** In a statement, for each of its rows. */
export const drawnFence: RawBuilder<number> = sql.raw(FIRST_FENCE)
