import { MOST_MEANT } from '@tillkit/domain'
import type { ClaimedDelivery } from '../../delivery-store.ts'
import type { Storage } from '../../storage.ts'
import { failure, success } from '../deliveries/delivery-scene.ts'
import { aMerchant, aPayment, at, dateAt, EVERYTHING, refusal, sceneOf, WEBHOOK_URL } from '../scene.ts'
import { OWN_CODE, type Step } from './steps.ts'

/** Takes steps on one store and gives its answers in a form that is the same for every store that is right. */
export interface Player {
  take(step: Step): Promise<unknown>
  /** Everything that is kept of the player's merchants. */
  everything(): Promise<unknown>
  /** Leaves nothing due, for the players that come after. */
  leave(): Promise<void>
}

/** Around the time that the clock starts from. */
const QUARTERS = [-1800, -900, 0, 900, 1800].map(dateAt)

/**
 * Adds two merchants that no other run has, the first with a webhook URL, the second without. Outcomes are recorded under
 * leases where both stores that are compared take them.
 */
export async function playerOf(
  storage: Storage,
  run: number,
  { takesLeases }: { takesLeases: boolean },
): Promise<Player> {
  const merchantIds: readonly [string, string] = [`model-a-${run}`, `model-b-${run}`]
  const [notified, silent] = merchantIds
  await storage.merchants.create(aMerchant({ id: notified, webhookUrl: WEBHOOK_URL }))
  await storage.merchants.create(aMerchant({ id: silent }))
  const codeOf = (merchantId: string) => `code-${merchantId}`
  for (const merchantId of merchantIds) {
    await storage.scanCodes.add({ code: codeOf(merchantId), merchantId, reference: null, createdAt: at(0) })
  }

  let clock = 0
  const claimed: ClaimedDelivery[] = []
  const references: string[] = []

  /** What this player's merchants have under a reference, which other runs use as well. */
  async function totalsOf(statementReference: string): Promise<unknown> {
    const found = await storage.settlements.get(statementReference, { skip: 0, limit: 1_000_000 })
    return found?.byMerchant.items.filter(one => merchantIds.includes(one.merchantId)) ?? []
  }

  async function take(step: Step): Promise<unknown> {
    clock += step.seconds
    const now = at(clock)
    const merchantId = merchantIds['merchant' in step ? step.merchant : 0] ?? notified

    switch (step.call) {
      case 'start': {
        const { scanCode } = step.fields
        const fields = scanCode === OWN_CODE ? { ...step.fields, scanCode: codeOf(merchantId) } : step.fields
        const started = storage.payments.start(aPayment(merchantId, fields), now)
        return started.catch(error => refusal(Promise.reject(error)))
      }
      case 'resolve': {
        const { id, outcome, leaseSeconds } = step
        const leaseUntil = takesLeases && leaseSeconds !== null ? at(clock + leaseSeconds) : null
        const resolved = await storage.payments.resolve({ merchantId, id }, outcome, now, null, leaseUntil)
        if (!resolved?.claimed) return resolved
        claimed.push(resolved.claimed)
        const { fence: _, ...delivery } = resolved.claimed
        return { ...resolved, claimed: delivery }
      }
      case 'settle': {
        // Where several payments do not settle, any of them may be the reason.
        const answer = await refusal(storage.payments.settle(merchantId, step.statementReference, step.ids))
        return step.ids.length === 1 ? answer : answer === 'none'
      }
      case 'settleEach': {
        const { statementReference, ids, fee } = step
        const given = ids.map((id, n) => ({ id, fee: fee + n }))
        const answer = await storage.settlements.settle(merchantId, statementReference, given)
        const others = answer.others.toSorted((a, b) => a.id - b.id)
        return { settled: answer.settled.toSorted((a, b) => a - b), others }
      }
      case 'meant': {
        const since = step.age === null ? null : `${at(clock - step.age).slice(0, 19)}Z`
        const [found = []] = await storage.settlements.find(merchantId, [step.name], since)
        // Of more than so many any may be handed over.
        return found.length < MOST_MEANT ? found : MOST_MEANT
      }
      case 'unsettled':
        return storage.settlements.unsettled(merchantId, step.id, step.id + step.length)
      case 'totals':
        return totalsOf(step.statementReference)
      case 'get':
        return storage.payments.get({ merchantId, id: step.id })
      case 'list':
        return storage.payments.list(merchantId, step.filter, step.slice)
      case 'walk': {
        const { startDate, endDate, ...rest } = step.filter
        const range = await storage.payments.idRange(merchantId, { startDate, endDate })
        return { range, found: range && (await storage.payments.walk(merchantId, rest, range, step.limit)) }
      }
      case 'pendingSince': {
        const date = `${now.slice(0, 19)}Z`
        const found = await storage.payments.pendingSince({ date, limit: 1_000_000 })
        const mine = found.filter(key => merchantIds.includes(key.merchantId))
        const after = mine[step.nth]
        const rest = after && (await storage.payments.pendingSince({ date, after, limit: 1_000_000 }))
        return { mine, rest: rest?.filter(key => merchantIds.includes(key.merchantId)) }
      }
      case 'cashUp': {
        const reference = `${run}c${references.length}`.padStart(32, '0')
        const { idempotencyKey } = step
        const cashUp = await storage.cashUps.create(merchantId, { reference, idempotencyKey, now })
        references.push(cashUp.reference)
        return cashUp
      }
      case 'cashUps':
        return storage.cashUps.list(merchantId, step.slice)
      case 'period':
        return storage.cashUps.payments(merchantId, references[step.nth] ?? 'unknown', step.slice)
      case 'report':
        return storage.reports.period(merchantId, step.open ? null : (references[step.nth] ?? 'unknown'))
      case 'takings':
        return storage.reports.takings(merchantId, QUARTERS)
      case 'update':
        return storage.merchants.update(merchantId, step.patch, now)
      case 'suspend':
        return step.code
          ? storage.scanCodes.suspend(codeOf(merchantId), now)
          : storage.merchants.suspend(merchantId, now)
      case 'resume':
        return step.code ? storage.scanCodes.resume(codeOf(merchantId)) : storage.merchants.resume(merchantId)
      case 'claim': {
        const leaseUntil = at(clock + step.leaseSeconds)
        const held = await storage.deliveries.claim({ now, leaseUntil, limit: 1000 })
        held.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
        claimed.push(...held)
        return held.map(({ fence: _, ...delivery }) => delivery)
      }
      case 'record': {
        const held = claimed.at(-1 - step.nth)
        if (held === undefined) return false
        const next = step.state === 'pending' ? clock + step.retrySeconds : null
        return storage.deliveries.record(
          step.state === 'delivered' ? success(held, clock) : failure(held, clock, next),
        )
      }
      case 'release': {
        const held = claimed.at(-1 - step.nth)
        return held && storage.deliveries.release([held], now)
      }
      case 'requeue': {
        const payment = await storage.payments.get({ merchantId, id: step.id })
        if (payment === null || payment.status === 'pending') return null
        return storage.deliveries.requeue({ merchantId, paymentId: step.id }, now)
      }
      case 'requeueRange':
        return storage.deliveries.requeueRange(
          merchantId,
          { firstId: step.id, lastId: step.id + 3, since: at(clock - step.age), state: step.state },
          now,
        )
      case 'pause':
        return storage.endpoints.pause(merchantId, at(clock - step.age), now)
      case 'wake':
        return storage.endpoints.wake(merchantId, now)
      case 'deliveries':
        return storage.deliveries.list(merchantId, step.state, step.slice)
    }
  }

  return {
    take,
    everything: () =>
      Promise.all(
        merchantIds.map(async merchantId => ({
          scanCode: await storage.scanCodes.find(codeOf(merchantId)),
          payments: await storage.payments.list(merchantId, {}, EVERYTHING),
          cashUps: await storage.cashUps.list(merchantId, EVERYTHING),
          settled: await Promise.all(['a', 'A', 'a '].map(totalsOf)),
          periods: await Promise.all(
            references.map(reference => storage.cashUps.payments(merchantId, reference, EVERYTHING)),
          ),
          deliveries: await storage.deliveries.list(merchantId, undefined, EVERYTHING),
          attempts: await storage.deliveries.attempts(merchantId, [1, 2, 3, 4, 5, 6, 7, 8]),
          endpoint: await storage.endpoints.get(merchantId),
        })),
      ),
    leave: () => sceneOf(storage).leaseLeftovers(),
  }
}

function nameOf(key: { merchantId: string } & ({ id: number } | { paymentId: number })): string {
  return `${key.merchantId} ${'id' in key ? key.id : key.paymentId}`
}
