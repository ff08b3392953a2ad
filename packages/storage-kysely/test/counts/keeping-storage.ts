import type { Storage } from '@tillkit/storage'
import type { Kysely } from 'kysely'
import { timeLimitsOf } from '../../src/connections/limits/time-limits.ts'
import { type DialectName, dialectOf } from '../../src/dialects/index.ts'
import { databaseOf, storageOf } from '../../src/kysely-storage.ts'
import { keepBlock } from '../../src/reports/keep-block.ts'
import type { Tables } from '../../src/schema/tables.ts'
import { PATIENT } from '../engines/address.ts'

/** A store of small blocks, which are kept when a test says so. */
export interface KeepingStorage {
  storage: Storage
  /** Keeps one block: see `keepBlock`. */
  keep(merchantId: string, block: number): Promise<void>
  /** Keeps all that there is of a merchant. */
  keepAll(merchantId: string): Promise<void>
}

export function keepingStorage<HostTables>(
  db: Kysely<HostTables>,
  dialect: DialectName,
  blockSize: number,
): KeepingStorage {
  const plain = databaseOf(db as unknown as Kysely<Tables>, dialectOf(dialect), {}, timeLimitsOf(PATIENT))
  const database = { ...plain, counting: { blockSize, ahead: false } }
  const storage = storageOf(database)
  const keep = keepBlock(database)
  return {
    storage,
    keep,
    async keepAll(merchantId) {
      const { last } = (await storage.payments.idRange(merchantId, {})) ?? { last: 0 }
      for (let block = 0; block * blockSize < last; block++) await keep(merchantId, block)
    },
  }
}
