import type { DeliveryStore, Lease } from '@tillkit/storage'
import { type SqlBool, sql } from 'kysely'
import { unlessLocked } from '../../deliveries/claiming/unless-locked.ts'
import { isPending } from '../../deliveries/is-pending.ts'
import type { Database } from '../../session/database.ts'
import type { Session } from '../../session/session.ts'
import { prepare } from '../../session/statements/prepared.ts'
import { BATCH_LOCK_WAIT } from '../../session/transactions/in-batches.ts'
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
  const lock = prepare((p: Pick<Parameters, 'merchantId' | 'paymentIds'>) =>
    builder
      .selectFrom('deliveries')
      .select('payment_id')
      .where('merchant_id', '=', p.merchantId)
      .where('payment_id', '=', sql<number>`any(${p.paymentIds}::bigint[])`)
      .forUpdate()
      .skipLocked(),
  )

  return (leases, given) => {
    const at = dialect.time(given)
    return forEachMerchant(byMerchant(leases), async (merchantId, those) => {
      const { write } = database.at?.(merchantId) ?? database
      const options = { repeatable: true, merchantId, locks: 'rows' } as const
      const releaseThose = (session: Session, some: Lease[]) =>
        session.change(
          release({
            ...{ merchantId, at },
            paymentIds: some.map(({ paymentId }) => paymentId),
            fences: some.map(({ fence }) => fence),
          }),
        )
      const passing = () =>
        write(async session => {
          const paymentIds = those.map(({ paymentId }) => paymentId)
          const rows = await session.all(lock({ merchantId, paymentIds }))
          const free = new Set(rows.map(row => Number(row.payment_id)))
          return releaseThose(
            session,
            those.filter(({ paymentId }) => free.has(paymentId)),
          )
        }, options)
      const brief = { ...options, statement: true, lockWait: BATCH_LOCK_WAIT }
      const whole = () => write(session => releaseThose(session, those), brief)
      await unlessLocked(dialect, whole, passing)
    })
  }
}
