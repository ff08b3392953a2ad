import { type Extra, type Instant, TillError } from '@tillkit/domain'

/** What a developer wants to become of a payment. */
export interface Plan {
  /** When it gets its outcome; null where a request will say. */
  at: Instant | null
  /** The outcome then. */
  status: 'completed' | 'error'
  /** Why, of an error. */
  failure: string | null
  /** What its webhook does. */
  webhook: WebhookPlan
}

/** What a webhook does. */
export interface WebhookPlan {
  /** Whether there is one. */
  sent: boolean
  /** How long after the outcome it goes out. */
  delaySeconds: number
  /** How often it goes out, though the first was a success. */
  times: number
  /** Whether it is signed with another key than the merchant's. */
  corruptSignature: boolean
}

/** Kept beside the parameters of the payment URL, so that it is written with its payment or not at all. */
const NAME = 'tillkit-sandbox-plan'

/** `extra` with the plan in it. Throws `invalid_input` where the name is taken. */
export function withPlan(extra: Extra, plan: Plan | undefined): Extra {
  if (Object.hasOwn(extra, NAME)) {
    throw new TillError(
      'invalid_input',
      `extra must not have the name ${NAME}: the sandbox keeps its own there`,
    )
  }
  return plan === undefined ? extra : { ...extra, [NAME]: JSON.stringify(plan) }
}

/** `extra` as it was given. */
export function withoutPlan({ [NAME]: _, ...extra }: Extra): Extra {
  return extra
}

/** The plan of a payment; null where it was made without one. */
export function planOf({ extra }: { extra: Extra }): Plan | null {
  const text = Object.hasOwn(extra, NAME) ? extra[NAME] : undefined
  return text === undefined ? null : JSON.parse(text)
}
