import type { QRCode, QRCodeSegment } from 'qrcode'
// @ts-expect-error: typed at the package's root only, whose renderers load half of node: and pngjs.
import * as core from 'qrcode/lib/core/qrcode.js'
import { QrError } from '../qr-error.ts'
import { segments } from './segments.ts'

const { create }: typeof import('qrcode') = core

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
  // jsQR and its forebears, which many a web page scans with, look for the patterns of version 23 in the wrong place.
  const { modules } = strongest(cut.segments, cut.version === 23 ? 24 : cut.version)
  return { side: modules.size, dark: modules.data }
}

/** Any mask can be read; to search for the prettiest is nine tenths of what a symbol costs, and a stranger may ask for many. */
const MASK = 0

/** The symbol of that version at the highest error correction level that it has room for. */
function strongest(segments: QRCodeSegment[], version: number): QRCode {
  for (const errorCorrectionLevel of ['H', 'Q', 'M'] as const) {
    try {
      return create(segments, { errorCorrectionLevel, version, maskPattern: MASK })
    } catch {
      // qrcode throws, before it has done any work, when the version does not hold the data at this level.
    }
  }
  return create(segments, { errorCorrectionLevel: 'L', version, maskPattern: MASK })
}
