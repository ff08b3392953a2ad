import { QrError } from './qr-error.ts'
import type { UrlWords } from './vocabulary.ts'

/** A payment URL in its parts, undecoded. */
export interface Address {
  /** `https://pay.example.com`; undefined for a path and query alone. */
  origin: string | undefined
  path: string
  query: string
}

/** Cuts an absolute URL, or a path and query; a fragment is left out. */
export function addressOf(url: string, { qr }: UrlWords): Address {
  if (typeof url !== 'string') throw new QrError('url', 'must be a string')
  const [address = ''] = url.split('#', 1)
  const mark = address.indexOf('?')
  const place = mark < 0 ? address : address.slice(0, mark)
  const query = mark < 0 ? '' : address.slice(mark + 1)
  const origin = /^https?:\/\/[^/]+/i.exec(place)?.[0]
  if (origin === undefined) return { origin, path: place, query }
  const path = place.slice(origin.length)
  if (!path.includes(`/${qr}/`)) throw new QrError('path', `must be /${qr}/ and a scan code`)
  return { origin, path, query }
}
