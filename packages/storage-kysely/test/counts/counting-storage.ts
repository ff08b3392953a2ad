import type { Storage } from '@tillkit/storage'
import type { Kysely } from 'kysely'
import { keepTotal, type Period } from '../../src/cash-ups/keep-total.ts'
import { timeLimitsOf } from '../../src/connections/limits/time-limits.ts'
import { countBlocks } from '../../src/counts/count-blocks.ts'
import { type DialectName, dialectOf } from '../../src/dialects/index.ts'
import { databaseOf, storageOf } from '../../src/kysely-storage.ts'
import type { Tables } from '../../src/schema/tables.ts'
import { PATIENT } from '../engines/address.ts'
import { keepingStorage } from './keeping-storage.ts'

/** A store of small blocks, which are counted when a test says so; no total is kept beside a read. */
export interface CountingStorage {
  storage: Storage
  /** One step: see `countBlocks`. */
  count(merchantId: string): Promise<boolean>
  /** See `keepTotal`. */
  keepTotal(period: Period): Promise<void>
}

export function countingStorage<HostTables>(
  db: Kysely<HostTables>,
  dialect: DialectName,
  blockSize: number,
): CountingStorage {
  const plain = databaseOf(db as unknown as Kysely<Tables>, dialectOf(dialect), {}, timeLimitsOf(PATIENT))
  const database = { ...plain, counting: { blockSize, ahead: false } }
  return { storage: storageOf(database), count: countBlocks(database), keepTotal: keepTotal(database) }
}

/**
 * A store that counts all it can before each list by status, and keeps all it can before each report and each page of a
 * period.
 */
export function eagerStorage<HostTables>(
  db: Kysely<HostTables>,
  dialect: DialectName,
  blockSize: number,
): Storage {
  const { storage, count, keepTotal } = countingStorage(db, dialect, blockSize)
  const list: Storage['payments']['list'] = async (merchantId, filter, slice) => {
    for (let more = filter.status !== undefined; more; ) more = await count(merchantId)
    return storage.payments.list(merchantId, filter, slice)
  }
  const ofPeriod: Storage['cashUps']['payments'] = async (merchantId, reference, slice) => {
    const ends = await storage.reports.period(merchantId, reference)
    const { firstPaymentId: first = null, lastPaymentId: last = null } = ends ?? {}
    if (first !== null && last !== null) await keepTotal({ merchantId, reference, first, last })
    return storage.cashUps.payments(merchantId, reference, slice)
  }
  const { keepAll } = keepingStorage(db, dialect, blockSize)
  const reports: Storage['reports'] = {
    async period(merchantId, reference) {
      await keepAll(merchantId)
      return storage.reports.period(merchantId, reference)
    },
    async takings(merchantId, bounds) {
      if (merchantId !== null) await keepAll(merchantId)
      return storage.reports.takings(merchantId, bounds)
    },
  }
  const cashUps = { ...storage.cashUps, payments: ofPeriod }
  return { ...storage, reports, cashUps, payments: { ...storage.payments, list } }
}
