import type { PaymentStatus } from '@tillkit/domain'
import { type Kysely, sql } from 'kysely'
import { expect } from 'vitest'
import type { HostTables } from '../engines/address.ts'

interface Block {
  up_to: number
  errors: number
  unresolved: string
}

/** What is kept of a merchant's blocks, the first one first. */
export async function blocksOf(db: Kysely<HostTables>, merchantId: string): Promise<Block[]> {
  const { rows } = await sql<Block>`select up_to, errors, unresolved from tillkit_payment_blocks
    where merchant_id = ${merchantId} order by up_to`.execute(db)
  return rows.map(row => ({ ...row, up_to: Number(row.up_to), errors: Number(row.errors) }))
}

/** The statuses of a merchant's payments, the first one first. */
export async function statusesOf(db: Kysely<HostTables>, merchantId: string): Promise<PaymentStatus[]> {
  const { rows } = await sql<{ status: PaymentStatus }>`select status from tillkit_payments
    where merchant_id = ${merchantId} order by id`.execute(db)
  return rows.map(({ status }) => status)
}

/** Expects each block to say what is so. */
export async function expectTrueBlocks(db: Kysely<HostTables>, merchantId: string): Promise<Block[]> {
  const blocks = await blocksOf(db, merchantId)
  const statuses = await statusesOf(db, merchantId)
  for (const { up_to, errors, unresolved } of blocks) {
    const named = new Set(unresolved === '' ? [] : unresolved.split(',').map(Number))
    const counted = statuses.slice(0, up_to).filter((_, n) => !named.has(n + 1))
    expect({ up_to, counted: counted.length, pending: counted.includes('pending') }).toEqual({
      up_to,
      counted: up_to - named.size,
      pending: false,
    })
    expect({ up_to, errors }).toEqual({ up_to, errors: counted.filter(one => one === 'error').length })
  }
  return blocks
}

/** How many of a run of ids have one of these statuses. */
export function passing(
  statuses: PaymentStatus[],
  some: PaymentStatus[],
  first: number,
  last: number,
): number {
  return statuses.slice(first - 1, last).filter(status => some.includes(status)).length
}
