import { codeUrl } from '../payment-url/code-url.ts'
import { scanPath } from '../payment-url/scan-path.ts'
import { QrError } from '../qr-error.ts'
import { type QueryPair, queryPairs } from '../query.ts'
import { checkOptions } from '../text.ts'
import { urlWords, type VocabularyOption } from '../vocabulary.ts'
import { IMAGE_SIZES, type ImageType } from './image-options.ts'

/** What a request for an image asks for. */
export interface ImageRequest {
  /** The code in the path. */
  scanCode: string
  /** The kind of image, by the extension. */
  type: ImageType
  /** Pixels. */
  size: number
  /** The query of the payment URL, byte for byte as it was, without `scan_code_size` and without a `?`; may be empty. */
  query: string
}

/**
 * Reads a request for an image, `GET /qr/{scan_code}.svg` or `.png` (API 4.7).
 *
 * @param path `/qr/CODE.png`, or `/CODE.png` below a mount.
 * @param rawQuery What follows the first `?` of the request target, undecoded; empty when there is none.
 * @param options Other words for the names in it.
 * @throws QrError naming `path` (neither .svg nor .png), `scanCode`, or `scan_code_size` (no integer from 50 to 500, or
 *   given more than once).
 */
export function imageRequest(
  path: string,
  rawQuery: string,
  { vocabulary }: VocabularyOption = {},
): ImageRequest {
  if (typeof path !== 'string') throw new QrError('path', 'must be a string')
  if (typeof rawQuery !== 'string') throw new QrError('rawQuery', 'must be a string')
  const words = urlWords(vocabulary)
  const { scanCode, extension } = scanPath(path, words)
  if (extension === undefined) throw new QrError('path', 'must end in .svg or .png')
  const word = words.wordOf[SIZE]
  const sizes = queryPairs(rawQuery).filter(({ name }) => name === word)
  return { scanCode, type: extension, size: readSize(sizes, word), query: without(rawQuery, sizes) }
}

/** What `encodedUrl` takes. */
export interface EncodedUrlOptions extends Pick<ImageRequest, 'scanCode' | 'query'>, VocabularyOption {
  /** The absolute http or https address that serves the payment URLs, with or without a trailing slash. */
  qrBaseUrl: string
}

/**
 * The payment URL an image of that request encodes: `{qrBaseUrl}/qr/{scanCode}?{query}`, with the query as it was
 * (API 4.7).
 *
 * @throws QrError naming `qrBaseUrl` or `scanCode`.
 */
export function encodedUrl(options: EncodedUrlOptions): string {
  checkOptions(options)
  const url = codeUrl(options.qrBaseUrl, options.scanCode, urlWords(options.vocabulary))
  return options.query === '' ? url : `${url}?${options.query}`
}

const SIZE = 'scan_code_size'

function readSize(sizes: QueryPair[], word: string): number {
  const [given, another] = sizes
  if (given === undefined) return IMAGE_SIZES.preset
  if (another !== undefined) throw new QrError(SIZE, 'must be given only once', { word })
  const size = /^[0-9]+$/.test(given.value) ? Number(given.value) : Number.NaN
  if (size >= IMAGE_SIZES.smallest && size <= IMAGE_SIZES.largest) return size
  const range = `from ${IMAGE_SIZES.smallest} to ${IMAGE_SIZES.largest}`
  throw new QrError(SIZE, `must be an integer ${range}`, { word })
}

function without(rawQuery: string, [size]: QueryPair[]): string {
  if (size === undefined) return rawQuery
  return rawQuery
    .split('&')
    .filter(raw => raw !== size.raw)
    .join('&')
}
