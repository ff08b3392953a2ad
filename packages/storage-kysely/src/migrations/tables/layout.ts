import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialects/index.ts'
import type { AgreedLayout } from '../migration.ts'
import { agreedCompression, assertCompressed } from './compression.ts'
import { agreedPartitions, assertPartitions } from './partitions.ts'

/** How the tables that grow with payments are made. Those that are there already stay as they are: to ask for another layout is refused. */
export interface Layout {
  /**
   * In how many partitions, by the hash of the merchant, the tables that grow with payments are made on PostgreSQL and
   * MariaDB: 2 to 1024. Left out, new tables are in one piece each.
   */
  partitions?: number | undefined
  /**
   * True to have MariaDB compress the pages of the tables that grow with payments. They take less of a disk whose file
   * system gives back holes in files, and more of the processor. Left out, new tables are not compressed.
   */
  compressed?: boolean | undefined
}

/** What is said of the layout. Throws `TillError` that names what is wrong. */
export function layoutOf({ partitions, compressed }: Layout, dialect: Pick<Dialect, 'name'>): Layout {
  if (partitions !== undefined) assertPartitions(partitions, dialect)
  if (compressed !== undefined) assertCompressed(compressed, dialect)
  return { partitions, compressed }
}

/** How tables are to be made: as those are that are there. Throws `DatabaseError` where that is not what is wanted. */
export async function agreedLayout(
  db: Kysely<unknown>,
  dialect: Dialect,
  place: { schema: string | undefined; table: string },
  { partitions, compressed }: Layout,
): Promise<AgreedLayout> {
  return {
    partitions: await agreedPartitions(db, dialect, place, partitions),
    compressed: await agreedCompression(db, dialect, place, compressed),
  }
}
