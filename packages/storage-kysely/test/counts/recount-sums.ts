import type { PaymentStatus } from '@tillkit/domain'
import { type Kysely, sql } from 'kysely'
import { expect } from 'vitest'
import type { HostTables } from '../engines/address.ts'

interface Block {
  first: number
  last: number
  unresolved: number[]
  totals: { completed: [number]; error: [number] }
}

/** What is kept of a merchant's blocks, the first one first. */
export async function blocksKept(db: Kysely<HostTables>, merchantId: string): Promise<Block[]> {
  type Row = { first_id: unknown; last_id: unknown; unresolved: string; totals: unknown }
  const { rows } = await sql<Row>`select first_id, last_id, unresolved, totals from tillkit_payment_sums
    where merchant_id = ${merchantId} order by first_id`.execute(db)
  return rows.map(({ first_id, last_id, unresolved, totals }) => ({
    first: Number(first_id),
    last: Number(last_id),
    unresolved: unresolved === '' ? [] : unresolved.split(',').map(Number),
    totals: typeof totals === 'string' ? JSON.parse(totals) : totals,
  }))
}

async function statusesOf(db: Kysely<HostTables>, merchantId: string): Promise<PaymentStatus[]> {
  const { rows } = await sql<{ status: PaymentStatus }>`select status from tillkit_payments
    where merchant_id = ${merchantId} order by id`.execute(db)
  return rows.map(({ status }) => status)
}

/** How many payments of a merchant have a status. */
export async function countOf(
  db: Kysely<HostTables>,
  merchantId: string,
  status: PaymentStatus,
): Promise<number> {
  return (await statusesOf(db, merchantId)).filter(one => one === status).length
}

/** Expects each block to say what is so. */
export async function expectTrueSums(db: Kysely<HostTables>, merchantId: string): Promise<Block[]> {
  const blocks = await blocksKept(db, merchantId)
  const statuses = await statusesOf(db, merchantId)
  for (const { first, last, unresolved, totals } of blocks) {
    const summed = statuses.slice(first - 1, last).filter((_, n) => !unresolved.includes(first + n))
    expect({ first, last, length: summed.length }).toEqual({
      first,
      last,
      length: last - first + 1 - unresolved.length,
    })
    const count = (status: PaymentStatus) => summed.filter(one => one === status).length
    expect([totals.completed[0], totals.error[0], 0]).toEqual([
      count('completed'),
      count('error'),
      count('pending'),
    ])
  }
  return blocks
}
