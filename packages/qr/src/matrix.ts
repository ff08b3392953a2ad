import { create, type QRCode } from 'qrcode'
import { QrError } from './qr-error.ts'
import { segments } from './segments.ts'

/** The modules of a symbol, row by row: 1 is dark. */
export interface Matrix {
  /** Modules a side. */
  side: number
  dark: Uint8Array
}

/**
 * The smallest symbol that holds the URL and can be read, at the highest error correction level that makes it no larger.
 *
 * @throws QrError naming `url`.
 */
export function matrix(url: string): Matrix {
  if (typeof url !== 'string' || !/^[!-~]+$/.test(url)) {
    throw new QrError('url', 'must be a URL in ASCII without spaces, percent-encoded where needed')
  }
  const cut = segments(url)
  if (cut === undefined) throw new QrError('url', 'is too long for a QR code')
  // A given mask skips the search for the best one, which is most of the cost of a symbol.
  const smallest = create(cut, { errorCorrectionLevel: 'L', maskPattern: 0 }).version
  // jsQR and its forebears, which many a web page scans with, look for the patterns of version 23 in the wrong place.
  const version = smallest === 23 ? 24 : smallest
  const { modules } = strongest(level => create(cut, { errorCorrectionLevel: level, version }))
  return { side: modules.size, dark: modules.data }
}

function strongest(draw: (level: 'L' | 'M' | 'Q' | 'H') => QRCode): QRCode {
  for (const level of ['H', 'Q', 'M'] as const) {
    try {
      return draw(level)
    } catch {
      // qrcode throws, before it has done any work, when the version does not hold the data at this level.
    }
  }
  return draw('L')
}
