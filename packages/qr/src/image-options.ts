import { QrError } from './qr-error.ts'

/** The kinds of image (API 4.7). */
export type ImageType = 'svg' | 'png'

/** The sizes in pixels an image can have (API 8). */
export const smallestSize = 50
export const largestSize = 500
export const defaultSize = 125

/** What `qrImage` takes beside the URL. */
export interface ImageOptions<Type extends ImageType = ImageType> {
  /** The kind of image. */
  type: Type
  /** Width and height in pixels: an integer from 50 to 500. */
  size: number
}

export function checkImageOptions({ type, size }: ImageOptions): void {
  if (type !== 'svg' && type !== 'png') throw new QrError('type', "must be 'svg' or 'png'")
  if (Number.isInteger(size) && size >= smallestSize && size <= largestSize) return
  throw new QrError('size', `must be an integer from ${smallestSize} to ${largestSize}`)
}
