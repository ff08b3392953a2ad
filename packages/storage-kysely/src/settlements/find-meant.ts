import { isNamed, type Payment, type PaymentName } from '@tillkit/domain'
import type { SettlementStore } from '@tillkit/storage'
import { idRange, NO_IDS } from '../payments/listing/id-range.ts'
import { columnsOf } from '../schema/columns.ts'
import { PAYMENT_COLUMNS, type PaymentRow } from '../schema/rows/payment-row.ts'
import { toPayment } from '../schema/rows/to-payment.ts'
import type { Database } from '../session/database.ts'
import { AS_ARRAYS } from '../session/statements/array-rows.ts'
import { findByReference, keyOf } from './find-by-reference.ts'
import { CHUNK, isOneOfPayments } from './mark-settled.ts'

export function findMeant(database: Database): SettlementStore['find'] {
  const { builder, read, dialect } = database
  const rangeSince = idRange(database)
  const byReference = findByReference(database)

  async function byId(merchantId: string, ids: number[]): Promise<Map<number, Payment>> {
    const found = new Map<number, Payment>()
    for (let start = 0; start < ids.length; start += CHUNK) {
      const query = builder
        .selectFrom('payments')
        .select(columnsOf(dialect, 'payments', PAYMENT_COLUMNS))
        .where(isOneOfPayments(dialect, merchantId, ids.slice(start, start + CHUNK)))
        .compile()
      const rows = (await read.all({ ...query, ...AS_ARRAYS })) as unknown as PaymentRow[]
      for (const row of rows) found.set(Number(row[0]), toPayment(merchantId, row))
    }
    return found
  }

  return async (merchantId, names, since) => {
    const ids = new Set(names.flatMap(({ id }) => (id === null ? [] : [id])))
    const ofIds = await byId(merchantId, [...ids])
    const others = names.filter(({ id }) => id === null)
    const ofOthers =
      others.length === 0
        ? new Map<string, Payment[]>()
        : await byReference(merchantId, others, await firstIdSince(merchantId, since))
    return names.map(name => (name.id === null ? (ofOthers.get(keyOf(name)) ?? []) : ofId(ofIds, name)))
  }

  async function firstIdSince(merchantId: string, since: string | null): Promise<number> {
    if (since === null) return 1
    return ((await rangeSince(merchantId, { startDate: since })) ?? NO_IDS).first
  }
}

function ofId(found: Map<number, Payment>, name: PaymentName): Payment[] {
  const payment = name.id === null ? undefined : found.get(name.id)
  return payment && isNamed(payment, name) ? [payment] : []
}
