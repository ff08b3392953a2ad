import { TillError, type Vocabulary } from '@tillkit/domain'
import { checkPaymentKeys, QrError, verifyPaymentUrl } from '@tillkit/qr'
import type { Till } from '@tillkit/till'
import { z } from 'zod'

/**
 * The keys that payment URLs are signed with, one of which must have signed each: at most ten, each 32 to 256 printable
 * characters of ASCII without a space. Or a function that gives those of a merchant, so that none can sign for another; null
 * takes this merchant's URLs unsigned, an empty list takes none. It is called for every request, strangers' too: let it remember
 * what is costly to find.
 */
export type PaymentKeys =
  | readonly string[]
  | ((scanCode: string, merchantId: string) => MerchantPaymentKeys | Promise<MerchantPaymentKeys>)

/** What a function gives for one merchant: his keys, none, or null where his URLs are taken unsigned. */
export type MerchantPaymentKeys = readonly string[] | null

/** Which payment URLs are taken. */
export interface SignatureOptions {
  /** Left out, payment URLs need no signature, and anybody can write one for any order and amount. */
  paymentKeys?: PaymentKeys
  /**
   * With `paymentKeys`: whether a code without any parameters, as printed codes are, needs a signature as well. `signed`, the
   * default, says so; `accepted` takes it as it is.
   */
  bareCodes?: 'signed' | 'accepted'
}

/** What a check of signatures takes: which payment URLs are taken, and where. */
export interface SignatureCheckOptions extends SignatureOptions {
  /** Where the host serves payment URLs, as they carry it: one that was signed for another address is refused. */
  qrBaseUrl: string
  /** Other words for the names in payment URLs. */
  vocabulary?: Vocabulary | undefined
}

/** The schema of the option `paymentKeys`, for the options that it is part of. */
export const paymentKeysOption = z.custom<PaymentKeys>(
  value => typeof value === 'function' || (Array.isArray(value) && value.length > 0),
  'must be a list of keys with one at least, or a function that gives them',
)

/** The schema of the option `bareCodes`, which goes with it. */
export const bareCodesOption = z.enum(['signed', 'accepted'], "must be 'signed' or 'accepted'")

/** Throws `TillError` `invalid_input` for keys that are none, and for what would take unsigned URLs by mistake. */
export function checkSignatureOptions(options: SignatureOptions): void {
  const { paymentKeys, bareCodes } = options
  if (paymentKeys === undefined) {
    if (Object.hasOwn(options, 'paymentKeys')) {
      throw wrong('paymentKeys', 'must not be undefined: leave it out where unsigned payment URLs are taken')
    }
    if (bareCodes !== undefined) throw wrong('bareCodes', 'needs paymentKeys')
  } else if (typeof paymentKeys !== 'function') {
    try {
      checkPaymentKeys(paymentKeys)
    } catch (error) {
      if (!(error instanceof QrError)) throw error
      throw wrong(error.parameter.replace('keys', 'paymentKeys'), error.problem)
    }
  }
}

/**
 * Resolves to whether a payment URL is signed: false where it may be unsigned. Rejects with `QrError` for a payment URL whose query is not signed as the options ask, naming `scan_code_signature` or, where
 * only its time is over, `scan_code_expires`; and for one that `parsePaymentUrl` refuses.
 */
export type CheckSignature = (scanCode: string, merchantId: string, query: string) => Promise<boolean>

/** Checks by the till's time. What the host's function throws, or gives that is no list of keys, is passed on: no URL is taken then. */
export function signatureCheck(
  till: Pick<Till, 'now'>,
  { qrBaseUrl, paymentKeys, bareCodes, vocabulary }: SignatureCheckOptions,
): CheckSignature {
  // As they were checked: what the host puts into its list later may be no key.
  const given = typeof paymentKeys === 'object' ? [...paymentKeys] : paymentKeys
  return async (scanCode, merchantId, query) => {
    if (given === undefined) return false
    const keys = typeof given === 'function' ? checked(await given(scanCode, merchantId), merchantId) : given
    if (keys === null) return false
    const now = await till.now()
    const options = { qrBaseUrl, keys, now, vocabulary, ...(bareCodes && { bareCodes }) }
    verifyPaymentUrl(`/${scanCode}?${query}`, options)
    return true
  }
}

/** A fault of the host's is not the customer's: it must not look like a URL that is wrong. */
function checked(keys: MerchantPaymentKeys, merchantId: string): MerchantPaymentKeys {
  if (keys === null) return null
  try {
    checkPaymentKeys(keys)
  } catch (error) {
    throw new TypeError(`paymentKeys gave no list of keys for merchant ${merchantId}`, { cause: error })
  }
  return keys
}

function wrong(option: string, problem: string): TillError {
  return new TillError('invalid_input', `${option} ${problem}`)
}
