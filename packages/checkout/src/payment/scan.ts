import { TillError, type Vocabulary } from '@tillkit/domain'
import {
  checkSignatureOptions,
  checkTarget,
  RequestError,
  readScan,
  type SignatureCheckOptions,
} from '@tillkit/http'
import { type PaymentParameters, QrError } from '@tillkit/qr'
import type { Merchant, Payment, PaymentStatus, Till } from '@tillkit/till'
import { LinkError } from './link/link-error.ts'
import { faultOf } from './link/link-fault.ts'
import { linkSignature } from './link/link-signature.ts'

/** Whose code it is. */
export interface Owner {
  /** Who is to be paid. */
  merchant: Merchant
  /** Whether the merchant or the code is suspended: no payment can be started on it now. */
  suspended: boolean
}

/** A scanned code: who is to be paid, for what, and how much if the URL says so. */
export interface Scan extends Owner {
  /** What the URL says, ready for `till.payments.start`. */
  parameters: PaymentParameters
}

/**
 * Reads a payment URL, and finds whose code it is; null for an unknown code.
 *
 * @param query The raw query of the URL, without `?`.
 * @param signatures Takes signed URLs only, as the checkout's options of these names do; unsigned ones too when left out.
 * @param vocabulary Other words for the names in the URL, as the checkout's option.
 * @throws `LinkError`, a `TillError` `invalid_input` naming the parameter of the URL that is wrong.
 */
export async function findScan(
  till: Till,
  scanCode: string,
  query: string,
  signatures?: SignatureCheckOptions,
  vocabulary: Vocabulary | undefined = signatures?.vocabulary,
): Promise<Scan | null> {
  const owner = await ownerOf(till, scanCode)
  if (owner === null) return null
  const scan = scanOrError(owner, scanCode, query, vocabulary)
  if (scan instanceof LinkError) throw scan
  if (signatures !== undefined) {
    const { paymentKeys, bareCodes } = signatures
    checkSignatureOptions({ paymentKeys, ...(bareCodes && { bareCodes }) })
    await linkSignature(till, { ...signatures, vocabulary })(scanCode, owner.merchant.id, query)
  }
  return scan
}

/** Whose code it is; null for an unknown code. */
export async function ownerOf(till: Till, scanCode: string): Promise<Owner | null> {
  const found = await till.scanCodes.get(scanCode)
  const merchant = found && (await till.merchants.get(found.merchantId))
  return merchant && { merchant, suspended: merchant.suspendedAt !== null || found.suspendedAt !== null }
}

/** What a payment URL of the merchant says, or what is wrong with it. */
export function scanOrError(
  owner: Owner,
  scanCode: string,
  query: string,
  vocabulary?: Vocabulary,
): Scan | LinkError {
  try {
    checkTarget({ path: '/', query })
    return { ...owner, parameters: readScan(scanCode, query, vocabulary) }
  } catch (error) {
    if (error instanceof RequestError) {
      return new LinkError(error.status === 414 ? 'tooLong' : 'tooManyParameters', error.message)
    }
    if (!(error instanceof QrError || error instanceof TillError)) throw error
    return new LinkError(faultOf(query, vocabulary), error.message)
  }
}

/**
 * Whether the scan's order needs no further payment: strict mode would refuse one because its reference has a completed or
 * a pending payment (API 4.7). Only to tell the customer early: what counts is checked when a payment starts.
 */
export async function takenBy(till: Till, scan: Scan): Promise<'completed' | 'pending' | null> {
  return ((await takerOf(till, scan))?.status as 'completed' | 'pending' | undefined) ?? null
}

/** The payment that takes the scan's order: a completed one, or else the last that is pending. */
export async function takerOf(till: Till, scan: Scan): Promise<Payment | null> {
  const { strict, merchantReference } = scan.parameters
  if (!strict || !merchantReference) return null
  const last = async (...status: PaymentStatus[]) =>
    (await till.payments.list(scan.merchant.id, { filter: { merchantReference, status }, perPage: 1 }))
      .items[0]
  const taker = await last('completed', 'pending')
  if (taker === undefined || taker.status === 'completed') return taker ?? null
  return (await last('completed')) ?? taker
}
