import { QrError } from './qr-error.ts'

/** A scan code, or a QrError: its characters need no escape in a URL, and none of them is a dot. */
export function checkScanCode(scanCode: string): string {
  if (typeof scanCode === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(scanCode)) return scanCode
  throw new QrError('scanCode', 'must be 1 to 64 of the characters A-Z, a-z, 0-9, _ and -')
}
