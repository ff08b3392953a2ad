import { type Finding, findingsOf } from '@tillkit/domain'
import type { InspectedCounts } from './inspection.ts'
import { many } from './many.ts'

const { ok, warning, problem } = findingsOf('webhooks')

/** From so many seconds on what is due is late, and then too late. */
const LATE = 300
const TOO_LATE = 3600

/** Webhooks that are late, given up, damaged, or rest. */
export function deliveryFindings(
  { deliveries, damagedDeliveries }: InspectedCounts,
  { dueSeconds, paused }: { dueSeconds: number; paused: string[] },
): Finding[] {
  const { due, pending, exhausted, pausedEndpoints } = deliveries
  const found: Finding[] = []
  if (dueSeconds >= LATE) {
    const says = `${many(due, 'webhook')} ${due === 1 ? 'is' : 'are'} due, the oldest for ${Math.floor(dueSeconds / 60)} minutes.`
    const advice =
      'See that a process runs till.webhooks.run, and that it keeps up: any number of them may run.'
    found.push(dueSeconds >= TOO_LATE ? problem(says, advice) : warning(says, advice))
  } else {
    found.push(
      ok(`${many(pending, 'webhook')} wait${pending === 1 ? 's' : ''} to be delivered, ${due} due now.`),
    )
  }
  if (exhausted > 0) {
    found.push(
      warning(
        `${many(exhausted, 'webhook')} ${exhausted === 1 ? 'was' : 'were'} given up after the last attempt.`,
        'Tell the merchants, and send them again: till.webhooks.redeliverSince(merchantId, { since, state: "exhausted" }).',
      ),
    )
  }
  if (damagedDeliveries > 0) {
    found.push(
      problem(
        `Of ${many(damagedDeliveries, 'webhook')} the payment or the merchant is gone, or cannot be read.`,
        'See who writes to Tillkit’s tables; put the rows right from a backup, and send the webhooks again.',
      ),
    )
  }
  if (pausedEndpoints > 0) {
    const more = pausedEndpoints > paused.length ? ' and others' : ''
    found.push(
      warning(
        `${many(pausedEndpoints, 'endpoint')} ${pausedEndpoints === 1 ? 'has' : 'have'} only failed for days and ${pausedEndpoints === 1 ? 'is' : 'are'} paused: ${paused.join(', ')}${more}.`,
        'Tell the merchants; till.webhooks.sendTest(merchantId) wakes an endpoint that answers again.',
      ),
    )
  }
  return found
}
