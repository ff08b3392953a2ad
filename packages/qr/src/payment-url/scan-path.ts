import { QrError } from '../qr-error.ts'
import { checkScanCode } from '../scan-code.ts'
import type { UrlWords } from '../vocabulary.ts'

export interface ScanPath {
  /** What stands before the code: `/shop/qr/`, `/`, or nothing. */
  folder: string
  scanCode: string
  extension: 'svg' | 'png' | undefined
}

/** Reads `/qr/CODE.png` under any mount, `/CODE.png` below the mount, or `CODE.png`; a trailing slash is fine. */
export function scanPath(given: string, { qr }: UrlWords): ScanPath {
  const path = given.endsWith('/') ? given.slice(0, -1) : given
  const slash = path.lastIndexOf('/')
  const folder = path.slice(0, slash + 1)
  const known = folder === '' || folder === '/' || (folder.startsWith('/') && folder.endsWith(`/${qr}/`))
  if (!known) throw new QrError('path', `must be /${qr}/ and a scan code`)
  const [, scanCode = '', extension] = /^(.*?)(?:\.(svg|png))?$/s.exec(path.slice(slash + 1)) ?? []
  return { folder, scanCode: checkScanCode(scanCode), extension: extension as ScanPath['extension'] }
}
