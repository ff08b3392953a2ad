import { hash } from 'node:crypto'
import type { Brand, HttpRequest, HttpResponse } from '@tillkit/http'
import { SCRIPT } from './script.ts'
import { styleSheet } from './style.ts'

/** The files of the pages: their names have their hashes, so that they may be kept for good. */
export interface Assets {
  /** Where the style sheet is, below the mount. */
  style: string
  /** Where the script is. */
  script: string
  /** Answers a request for one of them; null for any other path. */
  answer(request: Pick<HttpRequest, 'path' | 'headers'>): HttpResponse | null
}

export function createAssets(brand: Brand): Assets {
  const files = new Map<string, { body: string; mediaType: string; tag: string }>()
  const add = (body: string, extension: string, mediaType: string): string => {
    const tag = hash('sha256', body, 'hex').slice(0, 20)
    const path = `/assets/console-${tag}.${extension}`
    files.set(path, { body, mediaType, tag: `"${tag}"` })
    return path
  }
  return {
    style: add(styleSheet(brand), 'css', 'text/css; charset=utf-8'),
    script: add(SCRIPT, 'js', 'text/javascript; charset=utf-8'),
    answer({ path, headers: asked }) {
      const file = files.get(path)
      if (file === undefined) return null
      const headers = {
        'Cache-Control': 'public, max-age=31536000, immutable',
        ETag: file.tag,
        'X-Content-Type-Options': 'nosniff',
      }
      if (asked['if-none-match']?.includes(file.tag)) return { status: 304, headers, body: null }
      return { status: 200, headers: { ...headers, 'Content-Type': file.mediaType }, body: file.body }
    },
  }
}
