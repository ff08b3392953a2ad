import { ofProperties, type Vocabulary, validate, vocabulary } from '@tillkit/domain'
import type { Storage } from '@tillkit/storage'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import type { Logger } from './logging/logger.ts'
import { loggerOption } from './logging/logger-option.ts'
import { stderrLogger } from './logging/stderr-logger.ts'

export type { Logger }

/** What `createTill` takes. */
export interface TillOptions {
  /** What everything is kept in, migrated; the host closes it. */
  storage: Storage
  /** The time, for tests: it is believed, whatever it says. That of the storage, which its processes share, when left out. */
  clock?: () => Date
  /** How webhooks are sent, and where they may go. */
  webhooks?: WebhookOptions
  /** The keys that webhook keys are encrypted with at rest, by id; without them they are stored as they are. */
  secrets?: Secrets
  /**
   * Left out, warnings and errors go to stderr, a line each; `false` is silence. One that throws harms nothing. Never
   * handed an API key, a webhook key or an Authorization header.
   */
  logger?: Logger | false
  /** For how many seconds a key's merchant, and a scan code's, is remembered in this process: 5; 0 turns it off. */
  rememberSeconds?: number
  /**
   * What those that measure tell this till from others by, 1 to 64 of `A-Za-z0-9_.-`: `live`. Of the tills of a sandbox it is
   * `sandbox`, so that nobody takes their payments for takings.
   */
  name?: string
}

/** How webhooks are sent, and where they may go. */
export interface WebhookOptions {
  /** Webhook URLs may be plain `http`: for local work. */
  allowHttp?: boolean
  /** Webhooks may go to addresses that are not public: for local work. */
  allowPrivateAddresses?: boolean
  /** Networks that webhooks may go to besides public ones, in CIDR form. */
  allowedNetworks?: string[]
  /** Seconds from each failed attempt to the next, a year (31,536,000) each at most: 5, 300, 1800, 7200, 18000, 36000, 36000. */
  retryDelays?: number[]
  /** Each retry comes up to 20 % sooner or later, so that what failed together does not come back together: true. For tests, false. */
  spreadRetries?: boolean
  /** How long a receiver may take for everything: 15. */
  timeoutSeconds?: number
  /** How many attempts are in flight at most: 64. */
  concurrency?: number
  /** Deliveries also carry the signature of Standard Webhooks, `webhook-signature`, under the same key. */
  standardWebhooks?: boolean
  /** Other words for the fields of the payment, for `payload` and for `Service` before `signature=`. */
  vocabulary?: Vocabulary
}

/** Keys of 32 bytes in base64, by id, and the id of the one that encrypts. The others still decrypt. */
export interface Secrets {
  /** The id of the key that encrypts from now on. */
  current: string
  /** The keys by their ids, 1 to 64 of `A-Za-z0-9_-`. */
  keys: Record<string, string>
}

const seconds = 'must be a number of seconds'
const YEAR = 31_536_000
const webhookOptions = z.strictObject({
  allowHttp: z.boolean().optional(),
  allowPrivateAddresses: z.boolean().optional(),
  allowedNetworks: z
    .array(z.string().refine(network => ipaddr.isValidCIDR(network), 'must be a network in CIDR form'))
    .optional(),
  // What is added to a date is bounded: a date out of range could not be written after the attempt was made.
  retryDelays: z
    .array(z.number().min(0, `${seconds}, 0 or more`).max(YEAR, `${seconds} up to ${YEAR}, a year`))
    .optional(),
  spreadRetries: z.boolean().optional(),
  timeoutSeconds: z.number().positive(`${seconds} above 0`).max(600, `${seconds} up to 600`).optional(),
  concurrency: z.int().min(1, 'must be 1 or more').max(1024, 'must be at most 1024').optional(),
  standardWebhooks: z.boolean().optional(),
  vocabulary: vocabulary.optional(),
})

const secretKey = z
  .string()
  .refine(
    text => Buffer.from(text, 'base64').length === 32 && /^[A-Za-z0-9+/]{43}=?$/.test(text),
    'must be 32 bytes in base64',
  )

const secrets = z
  .strictObject({
    current: z.string(),
    keys: z.record(z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 of A-Za-z0-9_-'), secretKey),
  })
  .refine(({ current, keys }) => Object.hasOwn(keys, current), 'must have its current key among its keys')

const withObjects = <T>(what: string, ...names: string[]) =>
  z.custom<T>(
    value => names.every(name => typeof (value as Record<string, unknown>)?.[name] === 'object'),
    `must be ${what} (it needs ${names.join(', ')})`,
  )

const tillOptions = z.strictObject({
  storage: withObjects<Storage>(
    'a storage',
    'merchants',
    'apiKeys',
    'scanCodes',
    'payments',
    'cashUps',
    'reports',
    'settlements',
    'deliveries',
    'endpoints',
  ),
  clock: z
    .custom<() => Date>(value => typeof value === 'function', 'must be a function that returns a Date')
    .optional(),
  webhooks: ofProperties(webhookOptions).optional(),
  secrets: ofProperties(secrets).optional(),
  logger: loggerOption.default(stderrLogger),
  rememberSeconds: z.number().min(0, `${seconds}, 0 or more`).max(3600, `${seconds} up to 3600`).optional(),
  name: z
    .string()
    .regex(/^[A-Za-z0-9_.-]{1,64}$/, 'must be 1 to 64 of A-Za-z0-9_.-')
    .default('live'),
})

/** The options as the till works with them: its logger never throws. */
export type CheckedOptions = z.output<typeof tillOptions>

/** Checks all options of `createTill`. Throws `invalid_input` with the path of the first that is wrong. */
export function checkOptions(options: TillOptions): CheckedOptions {
  return validate(tillOptions, options, 'the options of createTill')
}
