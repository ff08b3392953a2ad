import { createHash } from 'node:crypto'
import { encodedUrl, type ImageType, imageRequest, QrError, qrImage } from '@tillkit/qr'
import type { HttpRequest, HttpResponse } from '../handler.ts'

const MEDIA_TYPES: Record<ImageType, string> = { svg: 'image/svg+xml', png: 'image/png' }

/** An image never changes; a day is for what a newer version draws better. */
const CACHE_CONTROL = 'public, max-age=86400'

/**
 * `GET /qr/{scan_code}.svg` and `.png` (specification 4.7). Encodes the payment URL with the query as it was, without
 * the extension and without `scan_code_size`. Throws `QrError` naming what is wrong.
 */
export async function image(qrBaseUrl: string, code: string, type: ImageType, request: HttpRequest) {
  const { size, query } = imageRequest(`/${code}.${type}`, request.query)
  const drawing = await draw(encodedUrl({ qrBaseUrl, scanCode: code, query }), type, size)
  const etag = `"${createHash('sha256').update(drawing).digest('base64url')}"`
  const headers = { 'Cache-Control': CACHE_CONTROL, ETag: etag }
  if (matches(request.headers['if-none-match'], etag)) return notModified(headers)
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
}

async function draw(url: string, type: ImageType, size: number): Promise<string | Uint8Array> {
  try {
    return await qrImage(url, { type, size })
  } catch (error) {
    if (error instanceof QrError && error.parameter === 'size')
      throw new QrError('scan_code_size', error.problem)
    throw error
  }
}

function notModified(headers: Record<string, string>): HttpResponse {
  return { status: 304, headers, body: null }
}

/** Whether `If-None-Match` holds the tag, compared weakly (RFC 9110, 13.1.2). */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.trim() === '*' || ifNoneMatch.match(/"[^"]*"/g)?.some(tag => tag === etag) === true
}
