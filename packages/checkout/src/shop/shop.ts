import { validate } from '@tillkit/domain'
import type { Merchant } from '@tillkit/till'
import { z } from 'zod'
import { dateFormat } from '../languages/speech.ts'
import { returnOrigin } from './return-link.ts'
import { type TipPreset, tipPresets } from './tips.ts'

/** What a shop wants of its pages. */
export interface Shop {
  /** The least that can be paid at a time, the tip included, in cents: 1 when left out. */
  minimumAmount?: number | undefined
  /** The most that can be paid at a time, the tip included, in cents: as much as a payment can be when left out. */
  maximumAmount?: number | undefined
  /** Tips to choose from where the account has tips, six at most; beside them one can still be typed. */
  tips?: readonly TipPreset[] | undefined
  /**
   * Where customers may be sent back to by the `returnUrl` of a payment URL that is not signed: origins, `https://shop.example.com`.
   * A signed one may lead to any https address.
   */
  returnOrigins?: readonly string[] | undefined
  /** Of the dates on its receipts, `Europe/Amsterdam`: the checkout's `timeZone` when left out. */
  timeZone?: string | undefined
}

/** One for all merchants, or a function that gives each merchant's. It is called for each page: let it remember what is costly to find. */
export type ShopOption = Shop | ((merchant: Merchant) => Shop | Promise<Shop>)

/** A shop's wishes, with what it left out. */
export interface KnownShop {
  minimumAmount: number
  maximumAmount: number
  tips: readonly TipPreset[]
  returnOrigins: readonly string[]
  timeZone: string
}

const cents = z.int('must be a whole number of cents').min(1, 'must be 1 cent at least').optional()

const shopSchema = z
  .strictObject({
    minimumAmount: cents,
    maximumAmount: cents,
    tips: tipPresets.optional(),
    returnOrigins: z.array(returnOrigin).optional(),
    timeZone: z.string().refine(isTimeZone, 'must be a time zone such as Europe/Amsterdam').optional(),
  })
  .refine(({ minimumAmount = 1, maximumAmount = minimumAmount }) => minimumAmount <= maximumAmount, {
    path: ['minimumAmount'],
    message: 'must not be more than maximumAmount',
  })

/** The schema of the option `shop`; what a function gives is checked when it is called. */
export const shopOption = z.union(
  [z.custom<Exclude<ShopOption, Shop>>(value => typeof value === 'function'), z.custom<Shop>(isObject)],
  'must be an object, or a function that gives one for each merchant',
)

/** Finds a merchant's shop. Throws `TillError` `invalid_input` for a shop that is wrong, naming what of it. */
export function shopFinder(
  given: ShopOption,
  timeZone: string,
): (merchant: Merchant) => Promise<KnownShop> | KnownShop {
  if (typeof given !== 'function') {
    const shop = known(given, timeZone)
    return () => shop
  }
  return async merchant => {
    const shop = await given(merchant)
    try {
      return known(shop, timeZone)
    } catch (error) {
      // A fault of the host's is not the customer's: it must not look like a form that is wrong.
      throw new TypeError(`shop gave no shop for merchant ${merchant.id}`, { cause: error })
    }
  }
}

function known(given: Shop, timeZone: string): KnownShop {
  const { shop } = validate(z.strictObject({ shop: shopSchema }), { shop: given }, 'shop')
  return {
    minimumAmount: shop.minimumAmount ?? 1,
    maximumAmount: shop.maximumAmount ?? Number.MAX_SAFE_INTEGER,
    tips: shop.tips ?? [],
    returnOrigins: shop.returnOrigins ?? [],
    timeZone: shop.timeZone ?? timeZone,
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isTimeZone(timeZone: string): boolean {
  try {
    return dateFormat('en', timeZone) !== null
  } catch {
    return false
  }
}
