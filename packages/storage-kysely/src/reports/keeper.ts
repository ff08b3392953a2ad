import type { Payment } from '@tillkit/domain'
import { UnreadableRowError } from '@tillkit/storage'
import { beside } from '../session/beside.ts'
import type { Database } from '../session/database.ts'
import { isOld, keepBlock } from './keep-block.ts'

/**
 * What share of a block has to be read for it to be worth keeping, unless it is old: the last block of a busy merchant grows all
 * the while.
 */
const WORTH = 1 / 8

/** Hears which payments had to be read, and has the blocks that they are in kept, beside what goes on. */
export interface Keeper {
  met(payments: readonly Payment[]): void
}

/** A payment that cannot be read keeps its own block from being kept, and says nothing of the others. */
const passBy = (error: unknown): void => {
  if (!(error instanceof UnreadableRowError)) throw error
}

/** Where nothing can be written reports are right all the same. */
export function keeperOf(database: Database): Keeper {
  const { blockSize, ahead } = database.counting
  const keep = keepBlock(database)
  const kept = beside(({ merchantId, block }: { merchantId: string; block: number }) =>
    keep(merchantId, block).catch(passBy),
  )

  return {
    met(payments) {
      if (!ahead || kept.rests()) return
      const read = new Map<string, { merchantId: string; block: number; count: number; old: boolean }>()
      for (const { merchantId, id, status, date } of payments) {
        if (status === 'pending') continue
        const block = Math.floor((id - 1) / blockSize)
        const key = `${block} ${merchantId}`
        const { count, old } = read.get(key) ?? { count: 0, old: isOld(date) }
        read.set(key, { merchantId, block, count: count + 1, old })
      }
      for (const [key, { merchantId, block, count, old }] of read) {
        const isWorthIt = old || count >= blockSize * WORTH
        if (isWorthIt) kept.add(key, { merchantId, block })
      }
    },
  }
}
