import { validate } from '@tillkit/domain'
import type { Storage } from '@tillkit/storage'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'

/** Where log lines go: pino's shape, of which any logger has at least this. */
export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** What `createTill` takes. */
export interface TillOptions {
  storage: Storage
  /** The time; the machine's when left out. */
  clock?: () => Date
  webhooks?: WebhookOptions
  /** The keys that webhook keys are encrypted with at rest, by id; without them they are stored as they are. */
  secrets?: Secrets
  /** Silent when left out. Never handed an API key, a webhook key or an Authorization header. */
  logger?: Logger
  /** For how many seconds a key's merchant, and a scan code's, is remembered in this process: 5; 0 turns it off. */
  rememberSeconds?: number
}

export interface WebhookOptions {
  /** Webhook URLs may be plain `http`: for local work. */
  allowHttp?: boolean
  /** Webhooks may go to addresses that are not public: for local work. */
  allowPrivateAddresses?: boolean
  /** Networks that webhooks may go to besides public ones, in CIDR form. */
  allowedNetworks?: string[]
  /** Seconds from each failed attempt to the next: 5, 300, 1800, 7200, 18000, 36000, 36000. */
  retryDelays?: number[]
  /** How long a receiver may take for everything: 15. */
  timeoutSeconds?: number
  /** How many attempts are in flight at most: 64. */
  concurrency?: number
  /** Deliveries also carry the signature of Standard Webhooks, `webhook-signature`, under the same key. */
  standardWebhooks?: boolean
}

/** Keys of 32 bytes in base64, by id, and the id of the one that encrypts. The others still decrypt. */
export interface Secrets {
  current: string
  keys: Record<string, string>
}

const seconds = 'must be a number of seconds'
const webhookOptions = z.strictObject({
  allowHttp: z.boolean().optional(),
  allowPrivateAddresses: z.boolean().optional(),
  allowedNetworks: z
    .array(z.string().refine(network => ipaddr.isValidCIDR(network), 'must be a network in CIDR form'))
    .optional(),
  retryDelays: z.array(z.number().min(0, `${seconds}, 0 or more`)).optional(),
  timeoutSeconds: z.number().positive(`${seconds} above 0`).max(600, `${seconds} up to 600`).optional(),
  concurrency: z.int().min(1, 'must be 1 or more').max(1024, 'must be at most 1024').optional(),
  standardWebhooks: z.boolean().optional(),
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

const withMethods = <T>(what: string, ...methods: string[]) =>
  z.custom<T>(
    value => methods.every(method => typeof (value as Record<string, unknown>)?.[method] === 'function'),
    `must be ${what} (it needs ${methods.join(', ')})`,
  )

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
    'deliveries',
    'endpoints',
  ),
  clock: z
    .custom<() => Date>(value => typeof value === 'function', 'must be a function that returns a Date')
    .optional(),
  webhooks: webhookOptions.optional(),
  secrets: secrets.optional(),
  logger: withMethods<Logger>('a logger', 'debug', 'info', 'warn', 'error').optional(),
  rememberSeconds: z.number().min(0, `${seconds}, 0 or more`).max(3600, `${seconds} up to 3600`).optional(),
})

/** Checks all options of `createTill`. Throws `invalid_input` with the path of the first that is wrong. */
export function checkOptions(options: TillOptions): TillOptions {
  return validate(tillOptions, options, 'the options of createTill')
}
