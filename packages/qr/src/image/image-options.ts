import { QrError } from '../qr-error.ts'
import { checkOptions } from '../text.ts'

/** The kinds of image (API 4.7). */
export type ImageType = 'svg' | 'png'

/** Sizes in pixels. */
export interface ImageSizes {
  /** The least that an image can have. */
  readonly smallest: number
  /** The most. */
  readonly largest: number
  /** What an image has where nothing is asked for. */
  readonly preset: number
}

/** The sizes in pixels an image can have (API 8). */
export const IMAGE_SIZES: ImageSizes = { smallest: 50, largest: 500, preset: 125 }

const { smallest, largest } = IMAGE_SIZES

/** What `qrImage` takes beside the URL. */
export interface ImageOptions<Type extends ImageType = ImageType> {
  /** The kind of image. */
  type: Type
  /** Width and height in pixels: an integer from 50 to 500. */
  size: number
}

export function checkImageOptions(options: ImageOptions): void {
  checkOptions(options)
  const { type, size } = options
  if (type !== 'svg' && type !== 'png') throw new QrError('type', "must be 'svg' or 'png'")
  if (Number.isInteger(size) && size >= smallest && size <= largest) return
  throw new QrError('size', `must be an integer from ${smallest} to ${largest}`)
}
