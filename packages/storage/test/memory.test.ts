import { describe, expect, test } from 'vitest'
import { storageConformance } from '../src/conformance/storage-conformance.ts'
import { memoryStorage } from '../src/memory/index.ts'

storageConformance({ describe, test, expect }, async () => ({
  storage: memoryStorage(),
  close: async () => {},
}))
