import { QrError } from '../qr-error.ts'
import { checkScanCode } from '../scan-code.ts'
import type { UrlWords } from '../vocabulary.ts'

/** `{qrBaseUrl}/qr/{scanCode}`, the payment URL before its query, with the word for `qr`. */
export function codeUrl(qrBaseUrl: string, scanCode: string, { qr }: UrlWords): string {
  return `${checkBaseUrl(qrBaseUrl, qr)}/${qr}/${checkScanCode(scanCode)}`
}

function checkBaseUrl(qrBaseUrl: string, qr: string): string {
  const absolute = typeof qrBaseUrl === 'string' && /^https?:\/\/[^/]/i.test(qrBaseUrl)
  if (!absolute || !isUrl(qrBaseUrl)) throw new QrError('qrBaseUrl', 'must be an absolute http or https URL')
  // Anything else the URL parser would mend in silence, and the QR code would then hold something that is not a URL.
  if (!/^[!-~]+$/.test(qrBaseUrl)) {
    throw new QrError(
      'qrBaseUrl',
      'must be ASCII without spaces (an international host name in its xn-- form)',
    )
  }
  if (/[?#\\]/.test(qrBaseUrl))
    throw new QrError('qrBaseUrl', 'must have no query, no fragment and no backslash')
  if (new RegExp(`/${qr}/?$`, 'i').test(qrBaseUrl))
    throw new QrError('qrBaseUrl', `must not end in /${qr}: that is what is added to it`)
  return qrBaseUrl.endsWith('/') ? qrBaseUrl.slice(0, -1) : qrBaseUrl
}

/** `URL.canParse` is not in every Node 18. */
function isUrl(text: string): boolean {
  try {
    return new URL(text) !== null
  } catch {
    return false
  }
}
