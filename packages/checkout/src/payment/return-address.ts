import { Buffer } from 'node:buffer'
import type { Vocabulary } from '@tillkit/domain'
import { encodedUrl } from '@tillkit/qr'
import { withQuery } from '../relative.ts'

/** An attempt's page, and with what query. */
interface Place {
  scanCode: string
  attempt: string
  /** The raw query, without `?`. */
  query: string
}

/**
 * Where a customer who was sent elsewhere comes back to. The page's query is a part of the path: what a processor adds to the
 * query, or leaves out of it, changes nothing.
 */
export function returnUrl(
  { scanCode, attempt, query }: Place,
  { qrBaseUrl, vocabulary }: { qrBaseUrl: string; vocabulary?: Vocabulary | undefined },
): string {
  const packed = query === '' ? '' : `/${Buffer.from(query).toString('base64url')}`
  return `${encodedUrl({ qrBaseUrl, scanCode, query: '', vocabulary })}/pay/${attempt}/back${packed}`
}

/** The way from there to the attempt's page, relative: below the same scan code, whatever `packed` holds. */
export function wayBack(attempt: string, packed: string | undefined): string {
  if (packed === undefined) return `../${attempt}`
  return withQuery(`../../${attempt}`, Buffer.from(packed, 'base64url').toString())
}
