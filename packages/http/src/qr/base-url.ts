import { TillError, type Vocabulary } from '@tillkit/domain'
import { encodedUrl, QrError } from '@tillkit/qr'
import type { HttpsOption } from '../request/https.ts'

/**
 * Checks the option `qrBaseUrl` of whatever answers QR codes. Throws `TillError` `invalid_input` for one that no customer
 * would get an answer at: not an http or https address, one that ends in `/qr`, has a query or a fragment, or is plain http
 * while HTTPS is required. With a vocabulary it is its word for `qr` that it may not end in.
 */
export function checkQrBaseUrl(qrBaseUrl: string, https: HttpsOption, vocabulary?: Vocabulary): void {
  try {
    encodedUrl({ qrBaseUrl, scanCode: 'code', query: '', vocabulary })
  } catch (error) {
    throw error instanceof QrError ? new TillError('invalid_input', error.message) : error
  }
  if (https === 'required' && !/^https:/i.test(qrBaseUrl)) {
    throw new TillError(
      'invalid_input',
      "qrBaseUrl must be an https address, since HTTPS is required (https: 'off' is for local work)",
    )
  }
}
