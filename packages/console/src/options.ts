import { TillError, validate } from '@tillkit/domain'
import {
  type Brand,
  brandOption,
  checkQrBaseUrl,
  type HttpsOption,
  httpsOption,
  loggerOption,
  logoSource,
  type RateLimiter,
  rateLimiter,
  tillArgument,
} from '@tillkit/http'
import { type Logger, type Lookup, loggerFor, type Till } from '@tillkit/till'
import { z } from 'zod'
import type { OnAction } from './audit/action.ts'
import { type Authorize, permissionList } from './operator/operator.ts'
import type { Permission } from './operator/permissions.ts'
import { createFormats } from './show/formats.ts'

/** Limiters of rate-limiter-flexible. One that is left out counts in this process's memory. */
export interface ConsoleRateLimits {
  /** All requests, by address: 50 a second. */
  perAddress?: RateLimiter
}

/** What `createConsole` takes beside the till. */
export interface ConsoleOptions {
  /** Tells who asks: the host's own login. Without it there is no console. */
  authorize: Authorize
  /** ISO 4217: `EUR`. The cents of all amounts are its smallest unit. */
  currency: string
  /** How amounts, numbers and dates are written, as BCP 47 has it: `en` when left out. The words are English. */
  locale?: string
  /** Which days and hours are meant, and how dates are shown: `UTC` when left out. */
  timeZone?: string
  /** The name, logo and colour of the pages. */
  brand?: Brand
  /** What those may do of whom `authorize` says nothing: `['read']` when left out. */
  permissions?: readonly Permission[]
  /**
   * Is told of every action when it begins and when it ends, and waited for, 5 seconds each time. An action goes on when this throws: what it
   * did not take is logged as an error, whole.
   */
  onAction?: OnAction
  /** Asks the processor how a payment ended, as `till.payments.reconcile` has it. Without it nobody can be asked. */
  lookup?: Lookup
  /** The address whose path `/qr` payment URLs begin with, for sheets of codes to print. Without it there are none. */
  qrBaseUrl?: string
  /** Where whom `authorize` does not know can sign in: an address that the page for them leads to. */
  loginUrl?: string
  /** The `WWW-Authenticate` of the answer to whom `authorize` does not know, which is 401 then: `Basic realm="Console"`. 403 without. */
  challenge?: string
  /** `required`, the default, refuses plain HTTP; `off` is for local work. */
  https?: HttpsOption
  /** Limits on requests, in memory when left out; `false` has none. */
  rateLimits?: ConsoleRateLimits | false
  /** Hears of masked errors and of actions that `onAction` did not take; the till's own when left out. Never handed a header. */
  logger?: Pick<Logger, 'warn' | 'error'> | false
}

const aFunction = (value: unknown) => typeof value === 'function'

const consoleOptions = z.strictObject({
  authorize: z.custom<Authorize>(aFunction, 'must be a function that tells who asks'),
  currency: z.string(),
  locale: z.string().default('en'),
  timeZone: z.string().default('UTC'),
  brand: brandOption.default({}),
  permissions: permissionList.default(['read']),
  onAction: z.custom<OnAction>(aFunction, 'must be a function').optional(),
  lookup: z.custom<Lookup>(aFunction, 'must be a function that says how a payment ended').optional(),
  qrBaseUrl: z.string().optional(),
  loginUrl: z
    .string()
    .regex(/^(?:https?:\/\/|\/(?![/\\]))/, 'must be an https URL, or a path')
    .optional(),
  challenge: z
    .string()
    .regex(/^[!-~][ -~]*$/, 'must be printable ASCII')
    .optional(),
  https: httpsOption.default('required'),
  rateLimits: z
    .union(
      [z.literal(false), z.strictObject({ perAddress: rateLimiter.optional() })],
      'must be false or { perAddress }',
    )
    .optional(),
  logger: loggerOption.optional(),
})

/** Checks all that `createConsole` is given. Throws `TillError` `invalid_input` naming the first that is wrong. */
export function checkOptions(till: Till, options: ConsoleOptions) {
  validate(tillArgument, till, 'till')
  const checked = validate(consoleOptions, options, 'the options of createConsole')
  logoSource(checked.brand)
  if (checked.qrBaseUrl !== undefined) checkQrBaseUrl(checked.qrBaseUrl, checked.https, undefined)
  return { ...checked, till, logger: loggerFor(checked.logger, till), formats: formatsOf(checked) }
}

/** The options once they are checked, and what is made of them. */
export type Settings = ReturnType<typeof checkOptions>

function formatsOf({ currency, locale, timeZone }: z.output<typeof consoleOptions>) {
  // `Intl` takes any three letters; only known ones have a name.
  if (!Intl.supportedValuesOf('currency').includes(currency)) {
    throw new TillError('invalid_input', 'currency must be a currency of ISO 4217, such as EUR')
  }
  if (!isLocale(locale)) {
    throw new TillError('invalid_input', 'locale must be a locale that this machine knows, such as nl-NL')
  }
  try {
    return createFormats(currency, locale, timeZone)
  } catch {
    throw new TillError('invalid_input', 'timeZone must be a time zone such as Europe/Amsterdam')
  }
}

function isLocale(locale: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(locale).length > 0
  } catch {
    return false
  }
}
