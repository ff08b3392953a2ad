import type { IdRange } from '@tillkit/storage'
import { isUncommon } from '../schema/planner/uncommon.ts'
import type { Whole } from '../schema/rows/payment-row.ts'
import type { Database } from '../session/database.ts'
import { currentRead } from '../session/statements/current-read.ts'
import { prepare } from '../session/statements/prepared.ts'

/**
 * A run of ids as it was at one moment: which of its payments were pending. All others had their outcome, which never changes,
 * so that they may be read later, in any order and by any number of statements, and are still as they were then.
 */
export interface Moment extends IdRange {
  pending: Set<number>
}

interface Row {
  /** Left out where it was asked for. */
  first?: Whole
  last: Whole
  pending: Whole | null
}

/** The run that a merchant's open period is, one that a cash up ended, or all its payments from one on, each by one statement. */
export function momentOf(database: Database) {
  const { builder, read, dialect } = database
  const isPending = isUncommon(dialect, 'payments', 'pending')
  const open = prepare((p: { merchantId: string }) =>
    builder
      .selectFrom('ledgers')
      .leftJoin('payments', join =>
        join
          .on('payments.merchant_id', '=', p.merchantId)
          .on(isPending)
          .onRef('payments.id', '>', 'ledgers.last_cash_up_payment_id'),
      )
      .select(eb => eb('ledgers.last_cash_up_payment_id', '+', 1).as('first'))
      .select(['ledgers.last_payment_id as last', 'payments.id as pending'])
      .where('ledgers.merchant_id', '=', p.merchantId),
  )
  const closed = prepare((p: { merchantId: string; reference: string }) =>
    currentRead(
      database,
      builder
        .selectFrom('cash_ups')
        .leftJoin('payments', join =>
          join
            .on('payments.merchant_id', '=', p.merchantId)
            .on(isPending)
            .onRef('payments.id', '>=', 'cash_ups.first_payment_id')
            .onRef('payments.id', '<=', 'cash_ups.last_payment_id'),
        )
        .select(['cash_ups.first_payment_id as first', 'cash_ups.last_payment_id as last'])
        .select('payments.id as pending')
        .where('cash_ups.merchant_id', '=', p.merchantId)
        .where('cash_ups.reference', '=', p.reference),
    ),
  )
  const since = prepare((p: { merchantId: string; first: number }) =>
    builder
      .selectFrom('ledgers')
      .leftJoin('payments', join =>
        join.on('payments.merchant_id', '=', p.merchantId).on(isPending).on('payments.id', '>=', p.first),
      )
      .select(['ledgers.last_payment_id as last', 'payments.id as pending'])
      .where('ledgers.merchant_id', '=', p.merchantId),
  )

  return {
    openPeriod: async (merchantId: string) => toMoment(await read.all(open({ merchantId }))),
    closedPeriod: async (merchantId: string, reference: string) =>
      toMoment(await read.all(closed({ merchantId, reference }))),
    paymentsFrom: async (merchantId: string, first: number) =>
      toMoment(await read.all(since({ merchantId, first })), first),
  }
}

function toMoment(rows: readonly Row[], first?: number): Moment | null {
  const [row] = rows
  if (!row) return null
  const pending = new Set<number>()
  for (const { pending: id } of rows) if (id !== null) pending.add(Number(id))
  return { first: first ?? Number(row.first), last: Number(row.last), pending }
}
