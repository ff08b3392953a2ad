import type { DeliveryKey, Instant } from '@tillkit/domain'
import type { ClaimedDelivery, DeliveryStore } from '@tillkit/storage'
import { sql } from 'kysely'
import { webhookKeyColumns } from '../../endpoints/webhook-keys.ts'
import { columnsOf } from '../../schema/columns.ts'
import { alongDue } from '../../schema/planner/along.ts'
import { walk } from '../../schema/planner/walk.ts'
import { PAYMENT_COLUMNS } from '../../schema/rows/payment-row.ts'
import type { Database } from '../../session/database.ts'
import type { Session } from '../../session/session.ts'
import { currentRead } from '../../session/statements/current-read.ts'
import { paddedList } from '../../session/statements/padded-list.ts'
import { prepareEach } from '../../session/statements/prepared.ts'
import { givenTime } from '../../time/given-time.ts'
import { chunksOf, isOneOf, keyOf } from '../delivery-keys.ts'
import { claimedDelivery, type Held } from './claimed-delivery.ts'
import { MOST_AT_REST } from './most-at-rest.ts'
import { dueAt, passedOver } from './passed-over.ts'
import { takesWrites } from './takes-writes.ts'
import { unlessLeased } from './unless-leased.ts'

interface DueParameters extends Record<`except${number}`, string> {
  now: string | null
  from: string
  limit: number
  only: string
}

/**
 * What a look for due deliveries looks like: how many merchants it leaves out, whether it is for one alone, and whether it goes
 * on where another ended.
 */
interface Form {
  width: number
  ofOne: boolean
  goesOn: boolean
}

interface Look {
  key: string
  form: Form
  parameters: Omit<DueParameters, 'limit'>
}

export function claimInSteps(database: Database): DeliveryStore['claim'] {
  const { builder, read, write, dialect } = database
  const waiting = walk(dialect, 'due')
  const findPassed = passedOver(database)
  const assertTakesWrites = takesWrites(database)
  const due = ({ width, ofOne, goesOn }: Form, p: DueParameters) =>
    // A planner that sorts what is due locks all of it, and other claims find nothing. Of one merchant that may be the shorter way.
    (dialect.partialIndexes || (ofOne && !goesOn)
      ? builder.selectFrom('deliveries')
      : builder.selectFrom(alongDue())
    )
      .where(goesOn ? waiting.between(p.from, dialect.orNow(p.now)) : waiting.upTo(dialect.orNow(p.now)))
      .$if(width > 0, query =>
        query.where(
          'merchant_id',
          'not in',
          Array.from({ length: width }, (_, n) => p[`except${n}`] ?? ''),
        ),
      )
      .$if(ofOne, query => query.where('merchant_id', '=', p.only))
  const findDue = prepareEach((form: Form) => (p: DueParameters) => {
    const query = due(form, p)
      .select(['merchant_id', 'payment_id', 'attempts', 'fence', 'traceparent'])
      .select(dialect.timeOf(sql.ref('next_attempt_at')).as('due_at'))
      // All are in one state; but MariaDB is not told so by what it is to go on from.
      .$if(form.goesOn, query => query.orderBy('state'))
      .orderBy('next_attempt_at')
      .limit(p.limit)
    return dialect.oneWriter ? query : query.forUpdate().skipLocked()
  })
  const findAny = prepareEach(
    (form: Form) => (p: DueParameters) => due(form, p).select('payment_id').limit(p.limit),
  )
  const paused = (merchantIds: string[]) =>
    builder
      .selectFrom('failing_endpoints')
      .select('merchant_id')
      .where('paused_at', 'is not', null)
      .where('merchant_id', 'in', merchantIds)
  const merchantsOf = async (session: Session, query: ReturnType<typeof paused>) =>
    new Set((await session.all(query.compile())).map(({ merchant_id }) => merchant_id))
  const setNextAttempt = (keys: DeliveryKey[], at: Instant | null) =>
    builder
      .updateTable('deliveries')
      .set({ next_attempt_at: at, fence: sql<number>`coalesce(fence, 0) + 1` })
      .where(eb => isOneOf(eb, keys.map(keyOf), dialect))
  /** Leases them; returns those that are. A trigger of SQLite's may have kept others as they were, which are still due. */
  const lease = async (session: Session, held: Held[], until: Instant) => {
    const update = setNextAttempt(held, until)
    if (!dialect.updatesReturn) {
      await session.change(update.compile())
      return held
    }
    const rows = await session.all(update.returning(['merchant_id', 'payment_id']).compile())
    const leased = new Set(rows.map(row => `${row.merchant_id} ${row.payment_id}`))
    return held.filter(({ merchantId, paymentId }) => leased.has(`${merchantId} ${paymentId}`))
  }
  const findTargets = (keys: DeliveryKey[]) =>
    currentRead(
      database,
      builder
        .selectFrom('payments')
        .leftJoin('merchants', 'merchants.id', 'payments.merchant_id')
        .leftJoin('failing_endpoints', 'failing_endpoints.merchant_id', 'payments.merchant_id')
        .select('payments.merchant_id')
        .select(columnsOf(dialect, 'payments', PAYMENT_COLUMNS))
        .select(columnsOf(dialect, 'failing_endpoints', ['failing_since']))
        .select(['merchants.id as known_merchant', 'merchants.webhook_url'])
        .select(webhookKeyColumns({ dialect }))
        .where(eb =>
          eb.or(
            keys.map(key =>
              eb.and([
                eb('payments.merchant_id', '=', key.merchantId),
                eb('payments.id', '=', key.paymentId),
              ]),
            ),
          ),
        ),
    ).compile()

  /**
   * Leases what was found, or puts it to rest; whose that is which is not handed over. What is due for a paused endpoint whose
   * row another holds stays due, and is passed by from now on.
   */
  const take = async (
    session: Session,
    found: Held[],
    leaseUntil: Instant,
    claimed: ClaimedDelivery[],
    except: Set<string>,
  ): Promise<string[]> => {
    const merchantIds = [...new Set(found.map(({ merchantId }) => merchantId))]
    const shut = await merchantsOf(session, currentRead(database, paused(merchantIds)))
    // The lock keeps a wake from missing what is put to rest beside it; nobody waits for another's.
    const atRest =
      shut.size > 0 && !dialect.oneWriter
        ? await merchantsOf(
            session,
            paused([...shut])
              .forUpdate()
              .skipLocked(),
          )
        : shut
    for (const merchantId of shut) if (!atRest.has(merchantId)) except.add(merchantId)
    const toRest = found.filter(({ merchantId }) => atRest.has(merchantId))
    const free = found.filter(({ merchantId }) => !shut.has(merchantId))
    if (toRest.length > 0) await session.change(setNextAttempt(toRest, null).compile())
    const resting = found.filter(({ merchantId }) => shut.has(merchantId)).map(({ merchantId }) => merchantId)
    const held = free.length > 0 ? await lease(session, free, leaseUntil) : []
    if (held.length === 0) return resting
    const targets = new Map(
      (await session.all(findTargets(held))).map(row => [`${row.merchant_id} ${row.id}`, row]),
    )
    for (const delivery of held) {
      const target = targets.get(`${delivery.merchantId} ${delivery.paymentId}`)
      claimed.push(claimedDelivery(delivery, target))
    }
    return resting
  }

  /** A transaction of its own, so that a backlog which is put to rest keeps none open for long, nor is met again. */
  const takeSome = (
    { key, form, parameters }: Look,
    wanted: number,
    leaseUntil: Instant,
    before: Set<string>,
  ) =>
    write(
      async session => {
        const claimed: ClaimedDelivery[] = []
        const except = new Set(before)
        const rows = await session.all(findDue(key, form)({ ...parameters, limit: wanted }))
        const found = rows.map(row => ({
          merchantId: row.merchant_id,
          paymentId: Number(row.payment_id),
          attempts: Number(row.attempts),
          fence: Number(row.fence) + 1,
          traceparent: row.traceparent,
        }))
        const resting: string[] = []
        for (const some of chunksOf(found)) {
          resting.push(...(await take(session, some, dialect.time(leaseUntil), claimed, except)))
        }
        const last = rows.length < wanted ? undefined : dueAt(rows.at(-1)?.due_at)
        return { claimed, except, resting, last }
      },
      { repeatable: true },
    )

  return async request => {
    const { now, leaseUntil, limit, exceptMerchants = [], onlyMerchant } = request
    const passed = await findPassed(request)
    const ofOne = onlyMerchant !== undefined
    const look = (except: ReadonlySet<string>, from: Instant | undefined): Look => {
      const { width, parameters } = paddedList('except', [...except])
      const goesOn = from !== undefined
      const times = { now: givenTime(dialect, now), from: goesOn ? dialect.time(from) : '' }
      const form = { width, ofOne, goesOn }
      const key = `${width} ${ofOne} ${goesOn}`
      return { key, form, parameters: { ...times, only: onlyMerchant ?? '', ...parameters } }
    }
    // A look before the lock: most polls find nothing, and must not hold up those who write.
    const leftOut = new Set(exceptMerchants)
    const { key, form, parameters } = look(leftOut, passed.from(leftOut))
    if (!(await read.first(findAny(key, form)({ ...parameters, limit: 1 })))) {
      await assertTakesWrites()
      passed.went(leftOut, undefined)
      return []
    }
    const claimed: ClaimedDelivery[] = []
    let [except, last, isResting]: [Set<string>, Instant | undefined, boolean] = [leftOut, undefined, true]
    let rested = 0
    while (isResting && claimed.length < limit) {
      const wanted = limit - claimed.length
      const next = look(except, last || passed.from(except))
      const taken = await unlessLeased(takeSome(next, wanted, leaseUntil, except), claimed)
      if (!taken) return claimed
      claimed.push(...taken.claimed)
      except = taken.except
      last = taken.last
      isResting = taken.resting.length > 0
      rested += taken.resting.length
      if (rested >= MOST_AT_REST) for (const merchantId of taken.resting) except.add(merchantId)
    }
    passed.went(except, last)
    return claimed
  }
}
