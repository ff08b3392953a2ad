import type { DeliveryStore } from '@tillkit/storage'
import { type SqlBool, sql } from 'kysely'
import { isPending } from '../../deliveries/is-pending.ts'
import type { Database } from '../../session/database.ts'
import { prepare } from '../../session/statements/prepared.ts'
import { byMerchant, forEachMerchant } from '../by-merchant.ts'

interface Parameters {
  merchantId: string
  paymentIds: number[]
  fences: number[]
  at: string
}

export function releaseByMerchant(database: Database): DeliveryStore['release'] {
  const { builder, dialect } = database
  const release = prepare((p: Parameters) =>
    builder
      .updateTable('deliveries')
      .set({ next_attempt_at: p.at, fence: sql<number>`fence + 1` })
      .where('merchant_id', '=', p.merchantId)
      .where('payment_id', '=', sql<number>`any(${p.paymentIds}::bigint[])`)
      // The fence that stands where the payment does.
      .where(
        sql<SqlBool>`fence = (${p.fences}::bigint[])[array_position(${p.paymentIds}::bigint[], payment_id)]`,
      )
      .where(isPending()),
  )
  return (leases, at) =>
    forEachMerchant(byMerchant(leases), async (merchantId, those) => {
      const query = release({
        merchantId,
        paymentIds: those.map(({ paymentId }) => paymentId),
        fences: those.map(({ fence }) => fence),
        at: dialect.time(at),
      })
      const { write } = database.at?.(merchantId) ?? database
      await write(session => session.change(query), {
        statement: true,
        repeatable: true,
        merchantId,
        locks: 'rows',
      })
    })
}
