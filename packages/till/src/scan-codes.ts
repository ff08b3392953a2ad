import { isScanCode, newScanCode, type ScanCode, validate } from '@tillkit/domain'
import type { Context } from './context.ts'
import { assertMerchant, assertMerchantId } from './known-merchant.ts'
import { randomBase62 } from './random-text.ts'
import type { ScanCodes } from './till.ts'

export function scanCodes({ storage, now }: Context): ScanCodes {
  return {
    async create(merchantId, options) {
      assertMerchantId(merchantId)
      const { code, reference } = validate(newScanCode, options ?? {}, 'a scan code')
      const scanCode: ScanCode = {
        code: code ?? randomBase62(22),
        merchantId,
        reference: reference ?? null,
        createdAt: now(),
      }
      await storage.scanCodes.add(scanCode)
      return scanCode
    },

    get: async code => (isScanCode(code) ? ((await storage.scanCodes.find(code))?.scanCode ?? null) : null),

    async list(merchantId) {
      assertMerchantId(merchantId)
      const codes = await storage.scanCodes.list(merchantId)
      if (codes.length === 0) await assertMerchant(storage, merchantId)
      return codes
    },
  }
}
