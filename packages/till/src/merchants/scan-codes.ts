import {
  instant,
  isScanCode,
  newScanCode,
  type ScanCode,
  shortened,
  TillError,
  validate,
} from '@tillkit/domain'
import { assertType } from '../assert-type.ts'
import type { Context } from '../context.ts'
import { randomBase62 } from '../random-text.ts'
import type { ScanCodes } from '../till.ts'
import { assertMerchant, assertMerchantId } from './known-merchant.ts'

export function scanCodes({ storage, clock, scanned }: Context): ScanCodes {
  /** What is remembered of it is out of date, also where the storage rejects: it may have done it, and only the answer is lost. */
  const changed = async (code: string, change: Promise<ScanCode | null> | null): Promise<ScanCode> => {
    try {
      const scanCode = await change
      if (scanCode === null) throw new TillError('not_found', `scan code ${shortened(code)} is unknown`)
      return scanCode
    } finally {
      scanned.forget(code)
    }
  }

  return {
    async create(merchantId, options) {
      assertMerchantId(merchantId)
      const { code, reference } = validate(newScanCode, options ?? {}, 'a scan code')
      const scanCode: ScanCode = {
        code: code ?? randomBase62(22),
        merchantId,
        reference: reference ?? null,
        createdAt: instant(await clock.now()),
        suspendedAt: null,
      }
      await storage.scanCodes.add(scanCode)
      // Somebody may be looking for it since before it was there.
      scanned.forget(scanCode.code)
      return scanCode
    },

    async get(code) {
      assertType('string', code, 'code')
      return isScanCode(code) ? ((await storage.scanCodes.find(code))?.scanCode ?? null) : null
    },

    async list(merchantId) {
      assertMerchantId(merchantId)
      const codes = await storage.scanCodes.list(merchantId)
      if (codes.length === 0) await assertMerchant(storage, merchantId)
      return codes
    },

    async suspend(code) {
      assertType('string', code, 'code')
      const at = instant(await clock.now())
      return changed(code, isScanCode(code) ? storage.scanCodes.suspend(code, at) : null)
    },

    async resume(code) {
      assertType('string', code, 'code')
      return changed(code, isScanCode(code) ? storage.scanCodes.resume(code) : null)
    },
  }
}
