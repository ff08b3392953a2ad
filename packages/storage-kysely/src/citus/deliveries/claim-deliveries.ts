import type { DeliveryKey, Instant } from '@tillkit/domain'
import type { ClaimedDelivery, ClaimRequest, DeliveryStore, Lease } from '@tillkit/storage'
import { sql } from 'kysely'
import { claimedDelivery, type Target } from '../../deliveries/claiming/claimed-delivery.ts'
import { MOST_AT_REST } from '../../deliveries/claiming/most-at-rest.ts'
import { dueAt, type PassedOver, passedOver } from '../../deliveries/claiming/passed-over.ts'
import { unlessLeased } from '../../deliveries/claiming/unless-leased.ts'
import { webhookKeyColumns } from '../../endpoints/webhook-keys.ts'
import { columnsOf } from '../../schema/columns.ts'
import { isSet } from '../../schema/is-set.ts'
import { FUNCTIONS } from '../../schema/names.ts'
import { walk } from '../../schema/planner/walk.ts'
import { PAYMENT_COLUMNS } from '../../schema/rows/payment-row.ts'
import type { Flag } from '../../schema/tables.ts'
import type { Database } from '../../session/database.ts'
import { prepare, prepareEach } from '../../session/statements/prepared.ts'
import { BATCH_LOCK_WAIT } from '../../session/transactions/in-batches.ts'
import { givenTime } from '../../time/given-time.ts'
import { byMerchant, forEachMerchant } from '../by-merchant.ts'
import { isNobody } from '../nobody.ts'
import { createLeftAside, type LeftAside } from './left-aside.ts'

interface DueParameters {
  now: string | null
  from: string
  limit: number
  except: string[]
  only: string
}

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
interface Taken {
  claimed: ClaimedDelivery[]
  lost: number
  resting: string[]
  left: Lease[]
  failed: { error: unknown } | undefined
}

/** And up to when nothing is due any more; undefined where that is all there was. */
type Look = Taken & { last: Instant | undefined }

/** For so many milliseconds after others were quicker, more is looked at than is wanted. */
const CROWDED = 10_000
const WIDER = 4

/** How often a claim looks again for what others were quicker to take. */
const LOOKS = 10

/**
 * What is due is read at all nodes without a lock, and leased merchant by merchant, where its fence is still as it was read.
 * Where other workers claim as well, each takes the merchants in an order of its own, so that they seldom meet.
 */
export function claimByMerchant(database: Database): DeliveryStore['claim'] {
  const { read, dialect } = database
  const findDue = dueOf(database)
  const findPassed = passedOver(database)
  const aside = createLeftAside(database)
  const take = takeOf(database, aside)
  let crowdedUntil = 0

  const look = async (
    request: ClaimRequest,
    wanted: number,
    except: Set<string>,
    passed: PassedOver,
  ): Promise<Look | null> => {
    const { now, onlyMerchant } = request
    const from = passed.from(except)
    const form = { ofOne: onlyMerchant !== undefined, goesOn: from !== undefined }
    const crowded = performance.now() < crowdedUntil
    const limit = crowded ? wanted * WIDER : wanted
    const parameters = {
      now: givenTime(dialect, now),
      from: from === undefined ? '' : dialect.time(from),
      limit,
      except: [...except],
      only: onlyMerchant ?? '',
    }
    const rows = await read.all(findDue(`${form.ofOne} ${form.goesOn}`, form)(parameters))
    passed.looked()
    if (rows.length === 0) return null
    const due = rows.map(row => ({
      merchantId: row.merchant_id,
      paymentId: Number(row.payment_id),
      fence: Number(row.fence ?? 0),
    }))
    const groups = [...byMerchant(due)]
    if (crowded) shuffle(groups)
    const taken = await take(groups, wanted, dialect.time(request.leaseUntil), except)
    const places = new Map(due.map((key, n) => [nameOf(key), n]))
    const place = (key: DeliveryKey) => places.get(nameOf(key)) ?? 0
    taken.claimed.sort((a, b) => place(a) - place(b))
    if (taken.lost > 0) crowdedUntil = performance.now() + CROWDED
    const timeOf = (n: number) => dueAt(rows[n]?.due_at)
    const whole = rows.length < limit ? undefined : timeOf(rows.length - 1)
    const last = taken.left.length === 0 ? whole : timeOf(Math.min(...taken.left.map(place)))
    return { ...taken, last }
  }

  return async request => {
    const { limit, exceptMerchants = [], onlyMerchant } = request
    if (onlyMerchant !== undefined && isNobody(onlyMerchant)) return []
    const except = new Set(exceptMerchants.filter(merchantId => !isNobody(merchantId)))
    if (onlyMerchant === undefined) for (const merchantId of aside.merchants()) except.add(merchantId)
    const passed = await findPassed({ ...request, exceptMerchants: [...except] })
    const claimed: ClaimedDelivery[] = []
    let last: Instant | undefined
    let failed: Taken['failed']
    let [looks, rested] = [0, 0]
    while (looks < LOOKS && claimed.length < limit) {
      const next = look(request, limit - claimed.length, except, passed)
      const taken = await unlessLeased(next, claimed)
      if (taken === undefined) return claimed
      last = taken?.last
      if (!taken) break
      claimed.push(...taken.claimed)
      failed ??= taken.failed
      if (taken.lost + taken.resting.length === 0) break
      if (taken.lost > 0) looks += 1
      rested += taken.resting.length
      if (rested >= MOST_AT_REST) for (const merchantId of taken.resting) except.add(merchantId)
    }
    if (failed && claimed.length === 0) throw failed.error
    passed.went(except, last)
    return claimed
  }
}

const nameOf = ({ merchantId, paymentId }: DeliveryKey) => `${merchantId} ${paymentId}`

function dueOf({ builder, dialect }: Database) {
  const due = walk(dialect, 'due')
  return prepareEach(
    ({ ofOne, goesOn }: { ofOne: boolean; goesOn: boolean }) =>
      (p: DueParameters) =>
        builder
          .selectFrom('deliveries')
          .select(['merchant_id', 'payment_id', 'fence'])
          .select(dialect.timeOf(sql.ref('next_attempt_at')).as('due_at'))
          .where(goesOn ? due.between(p.from, dialect.orNow(p.now)) : due.upTo(dialect.orNow(p.now)))
          .where('merchant_id', '<>', sql<string>`all(${p.except}::text[])`)
          .$if(ofOne, query => query.where('merchant_id', '=', p.only))
          .orderBy(due.time)
          .limit(p.limit),
  )
}

function takeOf(database: Database, aside: LeftAside) {
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

/** In an order that no other process has. */
function shuffle(list: unknown[]): void {
  for (let n = list.length - 1; n > 0; n--) {
    const other = Math.floor(Math.random() * (n + 1))
    const one = list[n]
    list[n] = list[other]
    list[other] = one
  }
}
