import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { HttpRequest, HttpResponse } from '@tillkit/http'

const compress = promisify(gzip)

/** What a file is made of. */
export interface FileSource {
  /** Its media type. */
  mediaType: string
  /** The value of `Cache-Control`. */
  cacheControl: string
  /** Further headers. */
  headers?: Record<string, string>
  /** Its content, asked for once. */
  read(): Promise<string | Uint8Array>
}

/** Answers with a file that never changes while the process lives. */
export type KeptFile = (request: Pick<HttpRequest, 'headers'>) => Promise<HttpResponse>

/** A file that is read and compressed when it is first asked for, and kept. */
export function keptFile({ mediaType, cacheControl, headers: others, read }: FileSource): KeptFile {
  let kept: Promise<{ plain: string | Uint8Array; zipped: Uint8Array; tag: string }> | undefined

  async function load() {
    const plain = await read()
    return { plain, zipped: await compress(plain), tag: hash('sha256', plain, 'base64url') }
  }

  return async ({ headers: asked }) => {
    kept ??= load()
    const { plain, zipped, tag } = await kept.catch(error => {
      kept = undefined // what could not be read may be there another time
      throw error
    })
    const gzipped = takesGzip(asked['accept-encoding'])
    const etag = gzipped ? `"${tag}-gzip"` : `"${tag}"`
    const headers: Record<string, string> = {
      'Cache-Control': cacheControl,
      ETag: etag,
      Vary: 'Accept-Encoding',
      ...others,
    }
    const known = asked['if-none-match']
    if (known?.includes(etag) || known?.trim() === '*') return { status: 304, headers, body: null }
    headers['Content-Type'] = mediaType
    headers['X-Content-Type-Options'] = 'nosniff'
    if (gzipped) headers['Content-Encoding'] = 'gzip'
    return { status: 200, headers, body: gzipped ? zipped : plain }
  }
}

function takesGzip(accepted = ''): boolean {
  return /(?:^|,)\s*gzip\s*(?:,|$|;\s*q=(?!0(?:\.0*)?\s*(?:,|$)))/i.test(accepted)
}
