import { svg } from '../drawing/svg.ts'
import { checkImageOptions, type ImageOptions } from './image-options.ts'

/**
 * Draws the QR code of a URL, exactly `size` pixels wide and high (API 4.7 and 8).
 *
 * @param url What the code holds, byte for byte: a URL in ASCII, percent-encoded where needed.
 * @returns The SVG document as a string, or the bytes of the PNG.
 * @throws QrError naming `url` (not ASCII, or too long for any QR code), `type`, or `size` (no integer from 50 to 500; for
 *   a PNG also fewer pixels than the code has modules, and then `smallestSize` is the smallest that works).
 */
export async function qrImage(url: string, options: ImageOptions<'svg'>): Promise<string>
/** Draws it as a PNG: its bytes. */
export async function qrImage(url: string, options: ImageOptions<'png'>): Promise<Uint8Array>
/** Draws it as either: the SVG document, or the bytes of the PNG. */
export async function qrImage(url: string, options: ImageOptions): Promise<string | Uint8Array>
export async function qrImage(url: string, options: ImageOptions): Promise<string | Uint8Array> {
  checkImageOptions(options)
  // With the first image, since many a process draws none.
  const { matrix } = await import('../symbol/matrix.ts')
  const symbol = matrix(url)
  if (options.type === 'svg') return svg(symbol, options.size, `QR code of ${url}`)
  // Where there is no `node:zlib`, URLs and SVGs do without it.
  const { png } = await import('../drawing/png.ts')
  return png(symbol, options.size)
}
