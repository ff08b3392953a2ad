import { type Finding, findingsOf, type Instant, secondsBetween } from '@tillkit/domain'
import type { Context } from '../context.ts'
import { deliveryFindings } from './delivery-findings.ts'
import type { InspectedCounts, WebhookKeyCounts } from './inspection.ts'
import { many } from './many.ts'

/** From so many seconds on nobody knows how a payment ended for too long. */
const LATE = 600
const TOO_LATE = 86_400

/** What there is of rows that want somebody. */
export async function rowFindings(
  counts: InspectedCounts,
  { context, now, hasSecrets }: { context: Context; now: Instant; hasSecrets: boolean },
): Promise<Finding[]> {
  const { oldestDueAt } = counts.deliveries
  const dueSeconds = oldestDueAt === null ? 0 : secondsBetween(oldestDueAt, now)
  const paused = await context.storage.endpoints.paused({ limit: 5 })
  return [
    ...pendingFindings(counts.pendingPayments),
    ...deliveryFindings(counts, { dueSeconds, paused: paused.map(({ merchantId }) => merchantId) }),
    ...keyFindings(counts.webhookKeys, hasSecrets),
    ...merchantFindings(counts.suspendedMerchants),
  ]
}

function pendingFindings(byAge: InspectedCounts['pendingPayments']): Finding[] {
  const { ok, warning, problem } = findingsOf('payments')
  const countOf = (seconds: number) =>
    byAge.find(({ olderThanSeconds }) => olderThanSeconds === seconds)?.count ?? 0
  const [all, late, tooLate] = [countOf(0), countOf(LATE), countOf(TOO_LATE)]
  const advice =
    'Have till.payments.reconcile run every minute, and failStale once the processor does not know them.'
  if (tooLate > 0) {
    const says = `${many(tooLate, 'payment')} ${is(tooLate)} pending for more than a day: their periods cannot be listed.`
    return [problem(says, advice)]
  }
  if (late > 0)
    return [warning(`${many(late, 'payment')} ${is(late)} pending for more than ten minutes.`, advice)]
  if (all === 0) return [ok('No payment is pending.')]
  return [ok(`${many(all, 'payment')} ${is(all)} pending, none for more than ten minutes.`)]
}

function keyFindings({ total, plain, unknown }: WebhookKeyCounts, hasSecrets: boolean): Finding[] {
  const { ok, note, warning, problem } = findingsOf('keys')
  const found: Finding[] = []
  if (plain > 0) {
    const says = `${many(plain, 'webhook key')} ${plain === 1 ? 'is kept as it is' : 'are kept as they are'}: whoever reads the database can sign webhooks.`
    const first = hasSecrets ? 'Issue' : 'Give createTill `secrets`, and issue'
    found.push(
      warning(says, `${first} the keys anew: till.merchants.issueWebhookKey(id, { overlapSeconds }).`),
    )
  }
  if (unknown > 0) {
    const says = `${many(unknown, 'webhook key')} ${is(unknown)} sealed under a secret that is not given here`
    found.push(
      hasSecrets
        ? problem(
            `${says}: what is delivered from here is not sent to them.`,
            'Put the secret back among `secrets`.',
          )
        : note(
            `${says}, where there are none.`,
            'Look again with the secrets of the processes that deliver.',
          ),
    )
  }
  if (found.length > 0) return found
  if (total === 0) return [ok('There are no webhook keys.')]
  return [ok(`${many(total, 'webhook key')} ${is(total)} sealed, and none is not.`)]
}

function merchantFindings(suspended: number): Finding[] {
  const { ok, note } = findingsOf('merchants')
  if (suspended === 0) return [ok('No merchant is suspended.')]
  const take = suspended === 1 ? 'takes' : 'take'
  const says = `${many(suspended, 'merchant')} ${is(suspended)} suspended, and ${take} no payments.`
  return [note(says, 'till.merchants.resume(id) ends it.')]
}

function is(count: number): string {
  return count === 1 ? 'is' : 'are'
}
