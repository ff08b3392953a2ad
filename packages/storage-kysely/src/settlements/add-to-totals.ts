import type { SettlementTotals } from '@tillkit/domain'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../session/database.ts'
import type { Session } from '../session/session.ts'
import { currentRead } from '../session/statements/current-read.ts'
import { prepare } from '../session/statements/prepared.ts'
import { sumAsText } from './sum-as-text.ts'

/** Amounts as text: an engine reads it exactly, and no driver makes a double of it. */
interface Parameters extends SettlementTotals<string> {
  merchantId: string
  reference: string
}

/**
 * Adds payments that this transaction has settled to what their merchant has under the reference. Where that was not kept
 * yet, all that has the reference is counted: an earlier version may have settled some of it.
 */
export function addToTotals(
  database: Database,
): (
  session: Session,
  merchantId: string,
  reference: string,
  added: SettlementTotals<bigint>,
) => Promise<void> {
  const { builder, dialect } = database
  // MariaDB and MySQL would add a text as a double.
  const whole = (text: string) =>
    dialect.name === 'mysql' ? sql<number>`cast(${text} as signed)` : sql<number>`${text}`
  const added = (p: Parameters) => {
    const sum = (column: string, more: number | RawBuilder<number>) =>
      sql<number>`${sql.ref(`settlements.${column}`)} + ${more}`
    return {
      payment_count: sum('payment_count', p.count),
      total_amount: sum('total_amount', whole(p.amount)),
      total_fees: sum('total_fees', whole(p.fees)),
    }
  }
  const add = prepare((p: Parameters) =>
    builder
      .updateTable('settlements')
      .set(added(p))
      .where('merchant_id', '=', p.merchantId)
      .where('statement_reference', '=', p.reference),
  )
  const find = prepare((p: { merchantId: string; reference: string }) =>
    currentRead(
      database,
      builder
        .selectFrom('settlements')
        .select('merchant_id')
        .where('merchant_id', '=', p.merchantId)
        .where('statement_reference', '=', p.reference),
    ),
  )
  const count = prepare((p: { merchantId: string; reference: string }) =>
    currentRead(
      database,
      builder
        .selectFrom('payments')
        .select(sql<number | string>`count(*)`.as('total'))
        .select(sumAsText(dialect, sql`sum(total_amount)`).as('amount'))
        .where('merchant_id', '=', p.merchantId)
        .where('statement_reference', '=', p.reference),
    ),
  )
  const insert = prepare((p: Parameters & { allCount: number; allAmount: string }) => {
    const query = builder.insertInto('settlements').values({
      merchant_id: p.merchantId,
      statement_reference: p.reference,
      payment_count: p.allCount,
      total_amount: whole(p.allAmount),
      total_fees: whole(p.fees),
    })
    // Whoever was first meanwhile has counted what was committed then, and not what this transaction has settled.
    return dialect.name === 'mysql'
      ? query.onDuplicateKeyUpdate(added(p))
      : query.onConflict(conflict =>
          conflict.columns(['merchant_id', 'statement_reference']).doUpdateSet(added(p)),
        )
  })

  return async (session, merchantId, reference, totals) => {
    const [amount, fees] = [`${totals.amount}`, `${totals.fees}`]
    const parameters = { merchantId, reference, count: totals.count, amount, fees }
    if (totals.count === 0 && (await session.first(find({ merchantId, reference })))) return
    if (totals.count > 0 && (await session.change(add(parameters))) > 0) return
    const all = await session.first(count({ merchantId, reference }))
    const [allCount, allAmount] = [Number(all?.total ?? 0), all?.amount ?? '0']
    if (allCount > 0) await session.change(insert({ ...parameters, allCount, allAmount }))
  }
}
