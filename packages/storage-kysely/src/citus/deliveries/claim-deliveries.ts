import type { DeliveryKey, Instant } from '@tillkit/domain'
import type { ClaimedDelivery, ClaimRequest, DeliveryStore } from '@tillkit/storage'
import { sql } from 'kysely'
import { MOST_AT_REST } from '../../deliveries/claiming/most-at-rest.ts'
import { dueAt, type PassedOver, passedOver } from '../../deliveries/claiming/passed-over.ts'
import { unlessLeased } from '../../deliveries/claiming/unless-leased.ts'
import { walk } from '../../schema/planner/walk.ts'
import type { Database } from '../../session/database.ts'
import { prepareEach } from '../../session/statements/prepared.ts'
import { givenTime } from '../../time/given-time.ts'
import { byMerchant } from '../by-merchant.ts'
import { isNobody } from '../nobody.ts'
import { createLeftAside } from './left-aside.ts'
import { type Taken, takeOf } from './take-deliveries.ts'

interface DueParameters {
  now: string | null
  from: string
  limit: number
  except: string[]
  only: string
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

  const claimWithout = async (request: ClaimRequest, leftAside: string[]) => {
    const { limit, exceptMerchants = [] } = request
    const except = new Set(exceptMerchants.filter(merchantId => !isNobody(merchantId)))
    for (const merchantId of leftAside) except.add(merchantId)
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

  return async request => {
    const { now, onlyMerchant } = request
    if (onlyMerchant !== undefined) return isNobody(onlyMerchant) ? [] : claimWithout(request, [])
    const { held, failing } = aside.merchants()
    const claimed = await claimWithout(request, [...held, ...failing])
    // Who asks for all that is due by a time, as `deliverDue` does, would take it that there is no more.
    const isAll = now === null || claimed.length > 0 || failing.length === 0
    return isAll ? claimed : claimWithout(request, held)
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

/** In an order that no other process has. */
function shuffle(list: unknown[]): void {
  for (let n = list.length - 1; n > 0; n--) {
    const other = Math.floor(Math.random() * (n + 1))
    const one = list[n]
    list[n] = list[other]
    list[other] = one
  }
}
