import { EXACT_FILTERS, PAYMENT_STATUSES, type PaymentFilter, type Slice } from '@tillkit/domain'
import type { CompiledQuery } from 'kysely'
import { columnsOf } from '../schema/columns.ts'
import { PAYMENT_COLUMNS, type PaymentRow } from '../schema/rows.ts'
import type { Database } from '../session/database.ts'
import { prepareEach } from '../session/prepared.ts'
import type { IdRange } from './id-range.ts'

const COLUMNS = {
  scanCode: 'scan_code',
  scanCodeReference: 'scan_code_reference',
  userReference: 'user_reference',
  merchantReference: 'merchant_reference',
  statementReference: 'statement_reference',
} as const satisfies Record<(typeof EXACT_FILTERS)[number], string>

type Values = Record<(typeof EXACT_FILTERS)[number], string>
type Parameters = Values & IdRange & Slice & { merchantId: string }

/** Queries of the payments in a run of ids that pass filters, one prepared form for each set of filters. */
export function matchingPayments({ builder, read, dialect }: Database) {
  function matching(filter: PaymentFilter, p: Parameters) {
    let query = builder
      .selectFrom('payments')
      .where('merchant_id', '=', p.merchantId)
      .where('id', '>=', p.first)
      .where('id', '<=', p.last)
    for (const name of EXACT_FILTERS) {
      if (filter[name] !== undefined) query = query.where(COLUMNS[name], '=', p[name])
    }
    const [status, ...more] = filter.status ?? []
    if (status === undefined) return query
    if (more.length === 0) return query.where('status', '=', status)
    // Most payments are completed: those are found along the ids, the others through the index of statuses.
    return filter.status?.includes('completed')
      ? query.where(
          'status',
          'not in',
          PAYMENT_STATUSES.filter(other => !filter.status?.includes(other)),
        )
      : query.where('status', 'in', [status, ...more])
  }

  const columns = columnsOf(dialect, 'payments', PAYMENT_COLUMNS)
  const countForm = prepareEach(
    (filter: PaymentFilter) => (p: Parameters) =>
      matching(filter, p).select(eb => eb.fn.countAll<number>().as('total')),
  )
  const sliceForm = prepareEach(
    (filter: PaymentFilter) => (p: Parameters) =>
      matching(filter, p).select(columns).orderBy('id', 'desc').limit(p.limit).offset(p.skip),
  )

  return {
    async count(merchantId: string, range: IdRange, filter: PaymentFilter): Promise<number> {
      const query = countForm(formOf(filter), filter)
      const row = await read.first(query({ ...(filter as Values), ...range, skip: 0, limit: 0, merchantId }))
      return Number(row?.total ?? 0)
    },
    slice(
      merchantId: string,
      range: IdRange,
      filter: PaymentFilter,
      slice: Slice,
    ): CompiledQuery<PaymentRow> {
      return sliceForm(formOf(filter), filter)({ ...(filter as Values), ...range, ...slice, merchantId })
    },
  }
}

/** Names the prepared form: which filters there are, and which statuses. */
function formOf(filter: PaymentFilter): string {
  return [...EXACT_FILTERS.filter(name => filter[name] !== undefined), ...(filter.status ?? [])].join(' ')
}
