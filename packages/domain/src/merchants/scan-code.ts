import { z } from 'zod'
import type { Instant } from '../values/date.ts'
import { reference } from '../values/text.ts'

/** The identifier that a QR code carries, linked to one merchant for good (API 1). */
export interface ScanCode {
  /** 1 to 64 of `A-Za-z0-9_-`, unique over all merchants. */
  code: string
  /** Whose it is. */
  merchantId: string
  /** The merchant's own name for the code: `scanCodeReference` of its payments. */
  reference: string | null
  /** When it was added. */
  createdAt: Instant
  /** Since when it takes no payments; null where it does, unless its merchant is suspended. */
  suspendedAt: Instant | null
}

/** True for what a scan code can be: 1 to 64 of `A-Za-z0-9_-`. */
export function isScanCode(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(value)
}

/** Checks a scan code. */
export const scanCode = z
  .custom<string>(isScanCode, 'must be 1 to 64 of A-Za-z0-9_-')
  .meta({ type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' })

/** What `till.scanCodes.create` takes beside the merchant. */
export interface NewScanCode {
  /** 1 to 64 of `A-Za-z0-9_-`, unique over all merchants; one that nobody can guess is made up when left out. */
  code?: string | undefined
  /** The merchant's own name for the code, `scanCodeReference` of its payments: text of up to 255 characters. */
  reference?: string | null | undefined
}

/** Checks a `NewScanCode`. */
export const newScanCode = z.strictObject({
  code: scanCode.optional(),
  reference: reference.nullish(),
})
