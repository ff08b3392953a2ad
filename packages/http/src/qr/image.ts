import { hash } from 'node:crypto'
import { type Vocabulary, wordOf } from '@tillkit/domain'
import { encodedUrl, type ImageType, imageRequest, QrError, qrImage } from '@tillkit/qr'
import { LRUCache } from 'lru-cache'
import type { HttpRequest, HttpResponse } from '../handler.ts'

const MEDIA_TYPES: Record<ImageType, string> = { svg: 'image/svg+xml', png: 'image/png' }

/** An image never changes; a day is for what a newer version draws better. */
const CACHE_CONTROL = 'public, max-age=86400'

/** To be counted up when the same parameters are drawn in another way: tags stand for parameters, not for bytes. */
const DRAWING = `3 ${process.versions.zlib}`

/** The longest payment URL that is drawn, in characters: a symbol of more is beyond many a phone, and costs too much. */
const LONGEST_URL = 800

/** How much of the images drawn last is kept in memory. */
const KEPT_BYTES = 4 * 1024 * 1024

/** Counts what is about to be drawn, by its cost in ordinary requests. An answer of its is the answer. */
export type Charge = (points: number) => Promise<HttpResponse | null>

/** Draws images, remembers the last, and knows what each costs. */
export interface Images {
  /**
   * `GET /qr/{scan_code}.svg` and `.png` (API 4.7). Encodes the payment URL with the query as it was, without the
   * extension and without `scan_code_size`. What is drawn is charged first. Throws `QrError` naming what is wrong.
   */
  image(code: string, type: ImageType, request: HttpRequest, charge: Charge): Promise<HttpResponse>
}

export function createImages(qrBaseUrl: string, vocabulary: Vocabulary | undefined): Images {
  const drawn = new LRUCache<string, string | Uint8Array>({
    maxSize: KEPT_BYTES,
    sizeCalculation: (drawing, key) => 2 * key.length + 2 * drawing.length,
  })

  return {
    async image(code, type, request, charge) {
      const { size, query } = imageRequest(`/${code}.${type}`, request.query, { vocabulary })
      const url = encodedUrl({ qrBaseUrl, scanCode: code, query, vocabulary })
      if (url.length > LONGEST_URL) {
        throw new QrError(
          'url',
          `is too long for a QR code: it must not have more than ${LONGEST_URL} characters`,
        )
      }
      const key = `${type} ${size} ${url}`
      const etag = `"${hash('sha256', `${DRAWING} ${key}`, 'base64url')}"`
      const headers = { 'Cache-Control': CACHE_CONTROL, ETag: etag }
      const asked = request.headers['if-none-match']
      // The tag is known without the drawing; whoever has it got the drawing once.
      if (asked?.includes(etag)) return notModified(headers)
      let drawing = drawn.get(key)
      if (drawing === undefined) {
        const refused = await charge(costOf(url))
        if (refused) return refused
        drawing = await draw(url, type, size, wordOf(vocabulary, 'scan_code_size'))
        drawn.set(key, drawing)
      }
      if (asked?.trim() === '*') return notModified(headers)
      return {
        status: 200,
        headers: {
          ...headers,
          'Content-Type': MEDIA_TYPES[type],
          'Content-Security-Policy': "default-src 'none'",
          'X-Content-Type-Options': 'nosniff',
        },
        body: drawing,
      }
    },
  }
}

/** In ordinary requests, as `npm run bench:abuse` measures them: two for a short URL, five for the longest. */
function costOf(url: string): number {
  return 2 + Math.floor(url.length / 250)
}

async function draw(url: string, type: ImageType, size: number, word: string): Promise<string | Uint8Array> {
  try {
    return await qrImage(url, { type, size })
  } catch (error) {
    if (error instanceof QrError && error.parameter === 'size')
      throw new QrError('scan_code_size', error.problem, { word })
    throw error
  }
}

function notModified(headers: Record<string, string>): HttpResponse {
  return { status: 304, headers, body: null }
}
