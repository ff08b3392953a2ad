import type { ClaimedDelivery, Lease } from '@tillkit/storage'
import { sql } from 'kysely'
import { claimedDelivery, type Target } from '../../deliveries/claiming/claimed-delivery.ts'
import { webhookKeyColumns } from '../../endpoints/webhook-keys.ts'
import { columnsOf } from '../../schema/columns.ts'
import { isSet } from '../../schema/is-set.ts'
import { FUNCTIONS } from '../../schema/names.ts'
import { PAYMENT_COLUMNS } from '../../schema/rows/payment-row.ts'
import type { Flag } from '../../schema/tables.ts'
import type { Database } from '../../session/database.ts'
import { prepare } from '../../session/statements/prepared.ts'
import { BATCH_LOCK_WAIT } from '../../session/transactions/in-batches.ts'
import { forEachMerchant } from '../by-merchant.ts'
import type { LeftAside } from './left-aside.ts'

interface LeaseParameters {
  merchantId: string
  paymentIds: number[]
  fences: number[]
  leaseUntil: string
}

interface LeasedRow {
  /** Null where another holds the row of the paused endpoint. */
  payment_id: number | string | null
  attempts: number | string
  fence: number | string
  rests: Flag
}

interface TargetParameters {
  merchantId: string
  ids: number[]
}

type TargetRow = Target & { traceparent: string | null }

/**
 * What was leased in one look, how much others were quicker to take, whose the rest is that rests or was set aside, what was left as it is,
 * and what was said first of a merchant whose deliveries were not to be had.
 */
export interface Taken {
  claimed: ClaimedDelivery[]
  lost: number
  resting: string[]
  left: Lease[]
  failed: { error: unknown } | undefined
}

/** Leases merchant by merchant what is due, where its fence is still as it was read. */
export function takeOf(database: Database, aside: LeftAside) {
  const { builder, dialect } = database
  const lease = prepare<LeaseParameters, LeasedRow>(p => ({
    compile: () =>
      sql<LeasedRow>`select payment_id, attempts, fence, rests from ${sql.table(FUNCTIONS.claim)}(${p.merchantId},
        ${p.paymentIds}::bigint[], ${p.fences}::bigint[], ${p.leaseUntil}::timestamptz) as leased`.compile(
        builder,
      ),
  }))
  const [payments, deliveries, merchants, endpoints] = [
    'payments',
    'deliveries',
    'merchants',
    'failing_endpoints',
  ].map(name => sql.table(name))
  // Each by its key: see `findPaymentsAtNode`.
  const findTargets = prepare<TargetParameters, TargetRow>(p => ({
    compile: () =>
      sql<TargetRow>`select payment.*, delivery.traceparent, endpoint.failing_since, merchant.*
        from unnest(${p.ids}::bigint[]) as given (id)
        cross join lateral (
          select ${sql.join(columnsOf(dialect, 'payments', PAYMENT_COLUMNS, 'one'))} from ${payments} as one
          where one.merchant_id = ${p.merchantId} and one.id = given.id offset 0
        ) as payment
        left join lateral (
          select one.traceparent from ${deliveries} as one
          where one.merchant_id = ${p.merchantId} and one.payment_id = given.id offset 0
        ) as delivery on true
        left join lateral (
          select one.id as known_merchant, one.webhook_url, ${sql.join(webhookKeyColumns({ dialect }, 'one'))}
          from ${merchants} as one where one.id = ${p.merchantId} offset 0
        ) as merchant on true
        left join lateral (
          select ${sql.join(columnsOf(dialect, 'failing_endpoints', ['failing_since'], 'one'))} from ${endpoints} as one
          where one.merchant_id = ${p.merchantId} offset 0
        ) as endpoint on true`.compile(builder),
  }))

  return async (
    groups: [merchantId: string, due: Lease[]][],
    wanted: number,
    leaseUntil: string,
    except: Set<string>,
  ): Promise<Taken> => {
    const taken: Taken = { claimed: [], lost: 0, resting: [], left: [], failed: undefined }
    const settled = new Set<Lease>()
    let left = wanted
    // Whose shard is which is known, then, once the first has waited for one that is held.
    for (const [merchantId] of groups) database.nodeOf?.(merchantId)
    const setAside = (merchantId: string) => {
      except.add(merchantId)
      taken.resting.push(merchantId)
    }
    const takeFrom = async (merchantId: string, due: Lease[]) => {
      const those = due.slice(0, left)
      if (those.length === 0) return
      if (aside.isHeld(merchantId)) return setAside(merchantId)
      left -= those.length
      const { read, write } = database.at?.(merchantId) ?? database
      const query = lease({
        merchantId,
        paymentIds: those.map(({ paymentId }) => paymentId),
        fences: those.map(({ fence }) => fence),
        leaseUntil,
      })
      const rows = await write(session => session.all(query), {
        statement: true,
        repeatable: true,
        holdsShard: true,
        lockWait: BATCH_LOCK_WAIT,
      })
      if (rows.some(({ payment_id }) => payment_id === null)) return setAside(merchantId)
      for (const one of those) settled.add(one)
      const held = rows.filter(({ rests }) => !isSet(rests)).map(row => heldOf(merchantId, row))
      for (const { rests } of rows) if (isSet(rests)) taken.resting.push(merchantId)
      taken.lost += those.length - rows.length
      left += those.length - rows.length
      if (held.length === 0) return
      const ids = held.map(({ paymentId }) => paymentId)
      const targets = new Map(
        (await read.all(findTargets({ merchantId, ids }))).map(row => [Number(row.id), row]),
      )
      for (const one of held) {
        const target = targets.get(one.paymentId)
        taken.claimed.push(claimedDelivery({ ...one, traceparent: target?.traceparent ?? null }, target))
      }
    }
    await forEachMerchant(groups, (merchantId, due) =>
      takeFrom(merchantId, due).catch(error => {
        setAside(merchantId)
        // What another has locked is passed by, as a locked row is.
        if (dialect.isLockWait(error.cause ?? error)) return aside.held(merchantId)
        aside.failed(merchantId)
        taken.failed ??= { error }
      }),
    )
    taken.left = groups.flatMap(([, due]) => due.filter(one => !settled.has(one)))
    return taken
  }
}

function heldOf(merchantId: string, row: LeasedRow): Lease & { attempts: number } {
  const { payment_id, attempts, fence } = row
  return {
    merchantId,
    paymentId: Number(payment_id),
    attempts: Number(attempts ?? 0),
    fence: Number(fence),
  }
}
