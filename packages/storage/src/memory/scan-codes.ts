import { TillError } from '@tillkit/domain'
import type { ScanCodeStore } from '../scan-code-store.ts'
import { oldestFirst } from './oldest-first.ts'
import { accountOf, copyMerchant, type State } from './state.ts'

export function scanCodes(state: State): ScanCodeStore {
  return {
    async add(scanCode) {
      accountOf(state, scanCode.merchantId)
      if (state.scanCodes.has(scanCode.code)) {
        throw new TillError('conflict', `scan code ${scanCode.code} is taken`)
      }
      state.scanCodes.set(scanCode.code, { ...scanCode, suspendedAt: null })
    },

    async find(code) {
      const scanCode = state.scanCodes.get(code)
      if (!scanCode) return null
      return {
        scanCode: { ...scanCode },
        merchant: copyMerchant(accountOf(state, scanCode.merchantId).merchant),
      }
    },

    async list(merchantId) {
      const own = [...state.scanCodes.values()].filter(scanCode => scanCode.merchantId === merchantId)
      return oldestFirst(own, ({ code }) => code).map(scanCode => ({ ...scanCode }))
    },

    async suspend(code, now) {
      const scanCode = state.scanCodes.get(code)
      if (!scanCode) return null
      scanCode.suspendedAt ??= now
      return { ...scanCode }
    },

    async resume(code) {
      const scanCode = state.scanCodes.get(code)
      if (!scanCode) return null
      scanCode.suspendedAt = null
      return { ...scanCode }
    },
  }
}
