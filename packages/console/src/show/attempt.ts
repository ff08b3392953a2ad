import { type Html, html } from '@tillkit/http'
import type { DeliveryAttempt } from '@tillkit/till'
import { facts, moment } from './facts.ts'
import type { Formats } from './formats.ts'

/** What came of one attempt to post a webhook: when, the status, how long, why it failed, the first of the answer. */
export function attemptFacts(
  formats: Formats,
  { at, status, milliseconds, error, answer }: DeliveryAttempt,
): Html {
  return facts([
    ['When', moment(formats, at)],
    ['Status', status === null ? 'none: nothing answered' : String(status)],
    ['Took', `${formats.count(milliseconds)} ms`],
    ['Why it failed', error],
    ['Answer', answer && html`<pre>${answer}</pre>`],
  ])
}
