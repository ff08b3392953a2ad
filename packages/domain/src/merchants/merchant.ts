import { z } from 'zod'
import type { Instant } from '../values/date.ts'
import { whole } from '../values/page.ts'
import { ofProperties } from '../values/properties.ts'
import { isText, nonEmptyReference, reference } from '../values/text.ts'

/** What is switched on for a merchant's account. What was recorded stays, whatever the features are later. */
export interface Features {
  /** Payments record `tipAmount` (API 2.1). */
  tips: boolean
  /** Payments record `userReference` (API 2.1). */
  userReferences: boolean
  /** Lists of payments show `deviceSerialNumber` and `transactionType` in place of the voucher flags. */
  deviceLists: boolean
}

/** Whoever owns scan codes and is paid. */
export interface Merchant {
  /** 1 to 64 of `A-Za-z0-9_.:-`: the host's own or made up. */
  id: string
  /** What customers see on the page they pay on. */
  name: string
  /** Where outcomes are posted (API 6); null sends none. */
  webhookUrl: string | null
  /** What is switched on for it. */
  features: Features
  /** When it was added. */
  createdAt: Instant
  /** Since when its API keys get 403 and its scan codes take no payments; null where they do. */
  suspendedAt: Instant | null
}

/** Whether something can be a merchant's id. */
export const isMerchantId = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z0-9_.:-]{1,64}$/.test(value)

/** Checks a merchant's id: the host's own or made up. */
export const merchantId = z.custom<string>(isMerchantId, 'must be 1 to 64 of A-Za-z0-9_.:-')

const MAX_URL_LENGTH = 2048

const webhookUrl = z
  .custom<string>(
    isWebhookUrl,
    `must be an http or https URL of at most ${MAX_URL_LENGTH} characters without a user name, a password or NUL`,
  )
  .meta({ type: 'string', format: 'uri', maxLength: MAX_URL_LENGTH })

const features = ofProperties(
  z.strictObject({
    tips: z.boolean().optional(),
    userReferences: z.boolean().optional(),
    deviceLists: z.boolean().optional(),
  }),
)

function isWebhookUrl(value: unknown): boolean {
  // A URL may have what no database keeps as it is: it would become another one.
  if (!isText(value, MAX_URL_LENGTH) || value.length > MAX_URL_LENGTH || !URL.canParse(value)) return false
  const url = new URL(value)
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}

/** What `till.merchants.create` takes. */
export interface NewMerchant {
  /** The host's own id for it, 1 to 64 of `A-Za-z0-9_.:-`; made up when left out. */
  id?: string | undefined
  /** What customers see on the page they pay on: text of 1 to 255 characters. */
  name: string
  /** Where outcomes are posted, an `https` URL of up to 2048 characters without credentials. Left out, nowhere. */
  webhookUrl?: string | null | undefined
  /** What is to be switched on; the rest is off. */
  features?: Partial<Features> | undefined
}

/** Checks a `NewMerchant`. */
export const newMerchant = z.strictObject({
  id: merchantId.optional(),
  name: nonEmptyReference,
  webhookUrl: webhookUrl.nullish(),
  features: features.optional(),
})

/** What `till.merchants.update` takes: only what is to change. */
export interface MerchantPatch {
  /** Text of 1 to 255 characters. */
  name?: string | undefined
  /** Another URL, which wakes an endpoint that was paused; null ends webhooks. */
  webhookUrl?: string | null | undefined
  /** What is to be switched on or off; the rest stays. Payments that were recorded stay as they are. */
  features?: Partial<Features> | undefined
}

/** Checks a `MerchantPatch`. */
export const merchantPatch = z.strictObject({
  name: nonEmptyReference.optional(),
  webhookUrl: webhookUrl.nullish(),
  features: features.optional(),
})

/** What `till.merchants.issueWebhookKey` takes beside the merchant. */
export interface NewWebhookKey {
  /** For how many seconds the key that this one replaces signs as well, up to 31,536,000, a year; not at all when left out. */
  overlapSeconds?: number | null | undefined
}

const YEAR = 31_536_000

/** Checks a `NewWebhookKey`. */
export const newWebhookKey = z.strictObject({
  overlapSeconds: z
    .number('must be a number of seconds, 0 or more')
    .min(0, 'must be a number of seconds, 0 or more')
    .max(YEAR, `must be at most ${YEAR}, a year`)
    .nullish(),
})

/** What the lists of merchants take. */
export interface MerchantRange {
  /** Those whose ids come after this one; from the first when left out. */
  after?: string | undefined
  /** How many at most: 100 when left out, up to 1000. */
  limit?: number | undefined
}

/** Checks a `MerchantRange`. */
export const merchantRange = z.strictObject({
  after: reference.optional(),
  limit: whole(1, 1000).default(100),
})

/** The merchant that `patch` makes of `merchant`. */
export function patchMerchant(merchant: Merchant, patch: MerchantPatch): Merchant {
  const { tips, userReferences, deviceLists } = merchant.features
  return {
    ...merchant,
    name: patch.name ?? merchant.name,
    webhookUrl: patch.webhookUrl === undefined ? merchant.webhookUrl : patch.webhookUrl,
    features: {
      tips: patch.features?.tips ?? tips,
      userReferences: patch.features?.userReferences ?? userReferences,
      deviceLists: patch.features?.deviceLists ?? deviceLists,
    },
  }
}
