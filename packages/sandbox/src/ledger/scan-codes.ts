import { type ScanCode, TillError } from '@tillkit/domain'
import type { ScanCodeStore } from '@tillkit/storage'
import { codePrefix, LONGEST_CODE } from '../names.ts'
import { type Bound, known, merged, own } from './bound.ts'

/** How many scan codes a ledger may have. */
const MOST = 100

/** The scan codes of one ledger: unique within it, whatever other ledgers have. */
export function scanCodes(bound: Bound): ScanCodeStore {
  const { storage, name } = bound
  const prefix = codePrefix(name)
  const shown = (scanCode: ScanCode) => ({
    ...known(bound, scanCode),
    code: scanCode.code.slice(prefix.length),
  })
  const shownOrNull = (scanCode: ScanCode | null) => scanCode && shown(scanCode)

  return {
    async add({ code, merchantId, ...scanCode }) {
      const id = own(bound, merchantId)
      if (code.length > LONGEST_CODE) {
        throw new TillError('invalid_input', `code must be at most ${LONGEST_CODE} characters in a sandbox`)
      }
      if ((await storage.scanCodes.list(id)).length >= MOST) {
        throw new TillError('conflict', `a sandbox has at most ${MOST} scan codes: reset it`)
      }
      if ((await storage.scanCodes.find(`${prefix}${code}`)) !== null) {
        throw new TillError('conflict', `scan code ${code} is taken`)
      }
      await storage.scanCodes.add({ ...scanCode, merchantId: id, code: `${prefix}${code}` })
    },
    async find(code) {
      const found = code.length > LONGEST_CODE ? null : await storage.scanCodes.find(`${prefix}${code}`)
      if (found === null) return null
      return { scanCode: shown(found.scanCode), merchant: merged(bound, found.merchant.webhookUrl) }
    },
    list: async merchantId => (await storage.scanCodes.list(own(bound, merchantId))).map(shown),
    suspend: async (code, now) => shownOrNull(await storage.scanCodes.suspend(`${prefix}${code}`, now)),
    resume: async code => shownOrNull(await storage.scanCodes.resume(`${prefix}${code}`)),
  }
}
