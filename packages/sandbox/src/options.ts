import { ofProperties, parseDateTime, validate } from '@tillkit/domain'
import type { MerchantApiOptions } from '@tillkit/http'
import type { Storage } from '@tillkit/storage'
import type { Secrets, WebhookOptions } from '@tillkit/till'
import { z } from 'zod'
import { seed } from './ledger/standing.ts'

/** How webhooks of test payments are sent, and where they may go: as `createTill` takes it. */
export type SandboxWebhooks = Omit<WebhookOptions, 'spreadRetries'>

/** What `createSandbox` takes beside the till. */
export interface SandboxOptions {
  /**
   * What test keys and test ledgers are kept in, migrated: any storage but the live till's, such as one with another file,
   * schema or `tablePrefix`. The host closes it. Left out, all is kept in memory and ends with the process.
   */
  storage?: Storage
  /** The options of `merchantApi`, for live and test keys alike. */
  api?: MerchantApiOptions
  /** What a new ledger begins from, 1 to 64 of `A-Za-z0-9_.:-`: `tillkit`. */
  seed?: string
  /** The time that the clock of a new ledger shows, an ISO 8601 date-time: `2026-01-01T00:00:00Z`. */
  startsAt?: string
  /** The options of `createTill` by the same name: give it those of the live till. */
  webhooks?: SandboxWebhooks
  /** The options of `createTill` by the same name. */
  secrets?: Secrets
  /** How many ledgers are open at a time, and so in memory where there is no storage: 100, up to 10,000. */
  maxMerchants?: number
  /** How many payments a ledger may have: 1,000, up to 100,000. */
  maxPayments?: number
  /** How often a ledger in a storage may be reset, since what it was stays in the storage: 1,000. */
  maxResets?: number
  /** For how many seconds a live merchant's name, features and suspension are remembered: 5; 0 turns it off. */
  rememberSeconds?: number
}

const object = <Value>(what: string) =>
  z.custom<Value>(value => typeof value === 'object' && value !== null, `must be ${what}`)

const whole = (most: number) => z.int().min(1, 'must be 1 or more').max(most, `must be at most ${most}`)

const sandboxOptions = z.strictObject({
  storage: z
    .custom<Storage>(
      value => typeof (value as Storage | undefined)?.deliveries === 'object',
      'must be a storage',
    )
    .optional(),
  api: object<MerchantApiOptions>('the options of merchantApi').optional(),
  seed: seed.default('tillkit'),
  startsAt: z
    .string()
    .transform((text, context) => {
      const date = parseDateTime(text)
      if (date === null) context.addIssue({ code: 'custom', message: 'must be an ISO 8601 date-time' })
      return date ?? z.NEVER
    })
    .default('2026-01-01T00:00:00Z'),
  webhooks: ofProperties(z.looseObject({})).default({}),
  secrets: object<Secrets>('the secrets of createTill').optional(),
  maxMerchants: whole(10_000).default(100),
  maxPayments: whole(100_000).default(1000),
  maxResets: whole(Number.MAX_SAFE_INTEGER).default(1000),
  rememberSeconds: z.number().min(0, 'must be a number of seconds, 0 or more').max(3600).default(5),
})

/** The options as the sandbox works with them. */
export type CheckedSandboxOptions = z.output<typeof sandboxOptions>

/** Checks all options of `createSandbox`. Throws `invalid_input` with the path of the first that is wrong. */
export function checkOptions(options: SandboxOptions): CheckedSandboxOptions {
  return validate(sandboxOptions, options, 'the options of createSandbox')
}
