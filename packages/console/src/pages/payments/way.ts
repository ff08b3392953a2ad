import { type Content, type Html, html } from '@tillkit/http'
import type { DeliveryAttempt, ListedDelivery, Payment } from '@tillkit/till'
import { attemptFacts } from '../../show/attempt.ts'
import { moment, state } from '../../show/facts.ts'
import type { Formats } from '../../show/formats.ts'

type Kind = 'done' | 'failed' | 'open'

/** The way of a payment, from the scan to the last attempt of its webhook. */
export function way(formats: Formats, payment: Payment, delivery: ListedDelivery | null): Html {
  const step = (kind: Kind, heading: string, more: Content) =>
    html`<li class="${kind}"><h3>${heading}</h3>${more}</li>`
  const { scanCode, scanCodeReference, requiredAmount, merchantReference } = payment
  const scanned = [
    requiredAmount !== null && `${formats.amount(requiredAmount)} was owed`,
    merchantReference !== null && `for ${merchantReference}`,
  ].filter(part => part !== false)
  return html`<ol class="way">
${step('done', 'Scan', html`<p>of <span class="mono">${scanCode}</span> ${scanCodeReference}${scanned.length > 0 && `: ${scanned.join(' ')}`}. When it was scanned is not recorded.</p>`)}
${step('done', 'Start', html`<p>${moment(formats, payment.date)}: ${formats.amount(payment.totalAmount)}</p>`)}
${outcome(step, formats, payment, delivery)}${delivery?.history.map(attempt => attempted(step, formats, attempt))}${next(step, formats, payment, delivery)}</ol>`
}

type Step = (kind: Kind, heading: string, more: Content) => Html

function outcome(
  step: Step,
  formats: Formats,
  { status, failure }: Payment,
  delivery: ListedDelivery | null,
): Html {
  if (status === 'pending') return step('open', 'Outcome', html`<p>not known yet</p>`)
  // A delivery is written with the outcome; without one nobody wrote down when it was.
  const when = delivery ? moment(formats, delivery.createdAt) : 'When it was recorded is not known.'
  return step(
    status === 'completed' ? 'done' : 'failed',
    'Outcome',
    html`<p>${state(status)} ${failure}</p><p>${when}</p>`,
  )
}

function attempted(step: Step, formats: Formats, attempt: DeliveryAttempt): Html {
  const failed = attempt.error !== null
  return step(
    failed ? 'failed' : 'done',
    failed ? 'Webhook: an attempt failed' : 'Webhook: taken',
    attemptFacts(formats, attempt),
  )
}

function next(step: Step, formats: Formats, { status }: Payment, delivery: ListedDelivery | null): Content {
  if (status === 'pending') return null
  if (delivery === null) {
    return step(
      'open',
      'Webhook',
      html`<p>There is none: the merchant had no webhook URL then, or it was delivered and removed since.</p>`,
    )
  }
  const { state: standing, nextAttemptAt } = delivery
  if (standing === 'delivered') return null
  if (standing === 'exhausted')
    return step('failed', 'Webhook: given up', html`<p>It is sent again by hand only.</p>`)
  const when =
    nextAttemptAt === null ? 'It rests while the endpoint is paused.' : moment(formats, nextAttemptAt)
  return step('open', 'Webhook: next attempt', html`<p>${when}</p>`)
}
