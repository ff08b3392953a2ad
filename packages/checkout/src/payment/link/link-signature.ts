import { type CheckSignature, type SignatureCheckOptions, signatureCheck } from '@tillkit/http'
import { QrError } from '@tillkit/qr'
import type { Till } from '@tillkit/till'
import { LinkError } from './link-error.ts'

/** Resolves to whether a payment URL is signed. Rejects with `LinkError`, `signature` or `expired`, for a payment URL that is not signed as the host asks. */
export function linkSignature(till: Pick<Till, 'now'>, options: SignatureCheckOptions): CheckSignature {
  const check = signatureCheck(till, options)
  return async (scanCode, merchantId, query) => {
    try {
      return await check(scanCode, merchantId, query)
    } catch (error) {
      if (!(error instanceof QrError)) throw error
      throw new LinkError(error.parameter === 'scan_code_expires' ? 'expired' : 'signature', error.message)
    }
  }
}
