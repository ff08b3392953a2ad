import { exactSum, type ListedStatement, type SettlementTotals, type Slice } from '@tillkit/domain'
import type { SettlementStore } from '@tillkit/storage'
import { type Selectable, sql } from 'kysely'
import { columnsOf } from '../schema/columns.ts'
import { instantOrNull } from '../schema/dates.ts'
import type { Whole } from '../schema/rows/payment-row.ts'
import type { StatementsTable } from '../schema/tables.ts'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/statements/prepared.ts'
import { sumAsText } from './sum-as-text.ts'

const COLUMNS = [
  'reference',
  'started_at',
  'finished_at',
  'row_count',
  'difference_count',
] as const satisfies (keyof StatementsTable)[]

/** What all merchants have under a reference. */
interface Totals {
  merchants: Whole
  count: Whole | null
  amount: string | null
  fees: string | null
}

export function listStatements({ builder, read, dialect }: Database): Pick<SettlementStore, 'list' | 'get'> {
  const columns = columnsOf(dialect, 'statements', COLUMNS)
  const findPage = prepare((p: Slice) =>
    builder
      .selectFrom('statements')
      .select(columns)
      .orderBy('started_at', 'desc')
      .orderBy('reference', 'desc')
      .limit(p.limit)
      .offset(p.skip),
  )
  const countAll = prepare(() => builder.selectFrom('statements').select(sql<Whole>`count(*)`.as('total')))
  const find = prepare((p: { reference: string }) =>
    builder.selectFrom('statements').select(columns).where('reference', '=', p.reference),
  )
  const findMerchants = prepare((p: Slice & { reference: string }) =>
    builder
      .selectFrom('settlements')
      .select(['merchant_id', 'payment_count'])
      .select([
        sumAsText(dialect, sql`total_amount`).as('total_amount'),
        sumAsText(dialect, sql`total_fees`).as('total_fees'),
      ])
      .where('statement_reference', '=', p.reference)
      .orderBy('merchant_id')
      .limit(p.limit)
      .offset(p.skip),
  )

  async function totalsOf(references: string[]): Promise<Map<string, Totals>> {
    if (references.length === 0) return new Map()
    const rows = await read.all(
      builder
        .selectFrom('settlements')
        .select('statement_reference as reference')
        .select([
          sql<Whole>`count(*)`.as('merchants'),
          sql<Whole>`sum(payment_count)`.as('count'),
          sumAsText(dialect, sql`sum(total_amount)`).as('amount'),
          sumAsText(dialect, sql`sum(total_fees)`).as('fees'),
        ])
        .where('statement_reference', 'in', references)
        .groupBy('statement_reference')
        .compile(),
    )
    return new Map(rows.map(row => [row.reference, row]))
  }

  return {
    async list(slice) {
      const total = Number((await read.first(countAll({})))?.total ?? 0)
      const rows = slice.skip < total ? await read.all(findPage(slice)) : []
      const totals = await totalsOf(rows.map(({ reference }) => reference))
      return { items: rows.map(row => toStatement(row.reference, row, totals.get(row.reference))), total }
    },

    async get(reference, slice) {
      const row = await read.first(find({ reference }))
      const totals = (await totalsOf([reference])).get(reference)
      if (!row && !totals) return null
      const merchants = await read.all(findMerchants({ reference, ...slice }))
      const items = merchants.map(one => ({
        merchantId: one.merchant_id,
        count: Number(one.payment_count),
        amount: exactSum(one.total_amount),
        fees: exactSum(one.total_fees),
      }))
      const statement = toStatement(reference, row, totals)
      return { ...statement, byMerchant: { items, total: statement.merchants } }
    },
  }
}

function toStatement(
  statementReference: string,
  row: Selectable<StatementsTable> | undefined,
  totals: Totals | undefined,
): ListedStatement {
  return {
    statementReference,
    startedAt: row ? instantOrNull(row.started_at) : null,
    finishedAt: row ? instantOrNull(row.finished_at) : null,
    rows: wholeOrNull(row?.row_count),
    differences: wholeOrNull(row?.difference_count),
    merchants: Number(totals?.merchants ?? 0),
    ...sumsOf(totals),
  }
}

const sumsOf = (totals: Totals | undefined): SettlementTotals => ({
  count: Number(totals?.count ?? 0),
  amount: exactSum(totals?.amount ?? 0),
  fees: exactSum(totals?.fees ?? 0),
})

const wholeOrNull = (value: Whole | null | undefined) =>
  value === null || value === undefined ? null : Number(value)
