import { TillError, type Vocabulary, validate, vocabulary } from '@tillkit/domain'
import {
  type Brand,
  bareCodesOption,
  brandOption,
  checkQrBaseUrl,
  checkSignatureOptions,
  type HttpsOption,
  httpsOption,
  loggerOption,
  logoSource,
  paymentKeysOption,
  type RateLimiter,
  rateLimiter,
  type SignatureOptions,
  tillArgument,
} from '@tillkit/http'
import { type Logger, loggerFor, type Merchant, type Till } from '@tillkit/till'
import { z } from 'zod'
import type { LanguageOption } from './languages/in-language.ts'
import { type GivenTexts, languagesOf, languagesOption, textsOption } from './languages/language-options.ts'
import { dateFormat, type Speech } from './languages/speech.ts'
import type { Texts } from './pages/texts.ts'
import type { OnUnrecorded, PaymentProcessor } from './payment/processor.ts'
import { type ShopOption, shopFinder, shopOption } from './shop/shop.ts'

/** Limiters of rate-limiter-flexible, each by address. One that is left out counts in this process's memory. */
export interface CheckoutRateLimits {
  /** All requests: 300 a second. */
  perAddress?: RateLimiter
  /** Presses of the button: 60 a minute. */
  payments?: RateLimiter
}

/** What `createCheckout` takes beside the till. */
export interface CheckoutOptions extends SignatureOptions {
  /** The address whose path `/qr` the handler is mounted at, as QR codes carry it: `https://pay.example.com`. */
  qrBaseUrl: string
  /** What charges the customer. */
  processor: PaymentProcessor
  /** ISO 4217: `EUR`. The cents of all amounts are its smallest unit. */
  currency: string
  /**
   * Where the host is, as BCP 47 has it: `nl-NL`. Amounts and dates are written as there, and texts are in its language, for
   * customers whose browser asks for no language that there is.
   */
  locale: string
  /**
   * The languages of pages, of which the browser's `Accept-Language` chooses: `translations` when left out, eight of them. The host
   * adds its own (`[...translations, polish]`) and replaces others: of two for one language the later counts.
   */
  languages?: readonly Texts[]
  /** The language of all pages, or a function that tells that of a request; undefined leaves it to the browser. */
  language?: LanguageOption
  /**
   * Replaces texts, one or all. Pages are then in one language for everybody, the `language` of the texts, English when left out;
   * what is left out is said in that language where there is a translation.
   */
  texts?: GivenTexts
  /** What the shop wants of its pages: the least and the most that is paid, tips to choose, its time zone, the way back to it. */
  shop?: ShopOption
  /** The name, colour and logo that pages show. */
  brand?: Brand
  /** Of the dates on receipts where `shop` has none: `UTC` when left out. */
  timeZone?: string
  /**
   * Whether the host takes payments on a code now: all when left out. One that it does not take looks like one that does
   * not exist, its image too; who paid on it before still sees the outcome.
   */
  accepts?: (scanCode: string, merchant: Merchant) => boolean | Promise<boolean>
  /** Fields of the host's own in the form, as HTML, that come to the processor in `context.fields`. It is shown as it is. */
  methodFields?: string
  /** What the content security policy allows beside the page's own, by directive: `{ 'frame-src': 'https://psp.example' }`. */
  policy?: Record<string, string>
  /** For how long the button's request waits for an outcome before the page does: 3 seconds. */
  waitSeconds?: number
  /** For how long after its start a page looks for the outcome of a pending payment by itself: 300 seconds. */
  watchSeconds?: number
  /** After how long the processor's answer is given up on, the payment left pending: 60 seconds. */
  timeoutSeconds?: number
  /** For how long an outcome is tried to be recorded before `onUnrecorded` is handed it, and `close` waits: 10 seconds. */
  recordSeconds?: number
  /**
   * Is handed each outcome that could not be recorded in that time, or at all because another one was: the processor has
   * answered, and the database does not say so. Recording goes on as long as the process lives. What it throws is logged.
   */
  onUnrecorded?: OnUnrecorded
  /** Other words for the names in payment URLs and in the addresses of images: `{ scan_code_size: 'snap_code_size' }`. */
  vocabulary?: Vocabulary
  /** `required`, the default, refuses plain HTTP; `off` is for local work. */
  https?: HttpsOption
  /** Limits on requests, in memory when left out; `false` has none. */
  rateLimits?: CheckoutRateLimits | false
  /** Hears of masked errors, unknown outcomes and limiters that are down; the till's own when left out. Never handed a header. */
  logger?: Pick<Logger, 'warn' | 'error'> | false
}

const aFunction = (value: unknown) => typeof value === 'function'
const seconds = z
  .number()
  .positive('must be a number of seconds above 0')
  .max(600, 'must be at most 600')
  .optional()

const checkoutOptions = z.strictObject({
  qrBaseUrl: z.string(),
  processor: z
    .custom<PaymentProcessor>(
      value => aFunction((value as PaymentProcessor | undefined)?.charge),
      'must be a payment processor (it needs charge)',
    )
    .refine(
      ({ lookup }) => lookup === undefined || aFunction(lookup),
      'must be a payment processor (its lookup must be a function)',
    ),
  currency: z.string(),
  locale: z.string(),
  texts: textsOption.optional(),
  languages: languagesOption.optional(),
  language: z
    .union(
      [z.string(), z.custom<Exclude<LanguageOption, string>>(aFunction)],
      'must be a language or a function',
    )
    .optional(),
  brand: brandOption.optional(),
  shop: shopOption.default({}),
  timeZone: z.string().default('UTC'),
  accepts: z
    .custom<NonNullable<CheckoutOptions['accepts']>>(aFunction, 'must be a function')
    .default(() => () => true),
  paymentKeys: paymentKeysOption.optional(),
  bareCodes: bareCodesOption.optional(),
  methodFields: z.string().default(''),
  policy: z
    .record(
      z.string().regex(/^[a-z]+(?:-[a-z]+)*$/, 'must be a directive'),
      z.string().regex(/^[^;,\r\n]+$/, 'must be sources without ; and ,'),
    )
    .default({}),
  waitSeconds: seconds,
  watchSeconds: seconds.default(300),
  timeoutSeconds: seconds,
  recordSeconds: seconds,
  onUnrecorded: z.custom<OnUnrecorded>(aFunction, 'must be a function').optional(),
  vocabulary: vocabulary.optional(),
  https: httpsOption.default('required'),
  rateLimits: z
    .union(
      [
        z.literal(false),
        z.strictObject({ perAddress: rateLimiter.optional(), payments: rateLimiter.optional() }),
      ],
      'must be false or an object of limiters, perAddress and payments',
    )
    .optional(),
  logger: loggerOption.optional(),
})

/** Checks all that `createCheckout` is given. Throws `TillError` `invalid_input` naming the first that is wrong. */
export function checkOptions(till: Till, options: CheckoutOptions) {
  validate(tillArgument, till, 'till')
  const checked = validate(checkoutOptions, options, 'the options of createCheckout')
  const brand = checked.brand ?? {}
  logoSource(brand)
  checkQrBaseUrl(checked.qrBaseUrl, checked.https, checked.vocabulary)
  checkSignatureOptions(options)
  checkLocale('locale', checked.locale)
  checkCurrency(checked.currency)
  checkTimeZone(checked.timeZone)
  const { offered, house } = languagesOf(checked)
  for (const language of offered.keys()) checkLocale('languages', language)
  checkLocale('texts.language', house.language)
  const logger = loggerFor(checked.logger, till)
  return { ...checked, logger, brand, offered, house, shopOf: shopFinder(checked.shop, checked.timeZone) }
}

/** The options once they are checked, as they are for the pages of one language. */
export type Checked = ReturnType<typeof checkOptions> & Speech

function checkCurrency(currency: string): void {
  // `Intl` takes any three letters; only known ones have a name.
  if (Intl.supportedValuesOf('currency').includes(currency)) return
  throw new TillError('invalid_input', 'currency must be a currency of ISO 4217, such as EUR')
}

function checkLocale(option: string, locale: string): void {
  try {
    if (Intl.NumberFormat.supportedLocalesOf(locale).length > 0) return
  } catch {
    // Not even the form of a locale.
  }
  throw new TillError('invalid_input', `${option} must be a locale that this machine knows, such as nl-NL`)
}

function checkTimeZone(timeZone: string): void {
  try {
    dateFormat('en', timeZone)
  } catch {
    throw new TillError('invalid_input', 'timeZone must be a time zone such as Europe/Amsterdam')
  }
}
