import { storageConformance, storageMatchesModel } from '@tillkit/storage/conformance'
import { memoryStorage } from '@tillkit/storage/memory'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const open = async () => ({ storage: memoryStorage(), close: async () => {} })

storageConformance({ describe, test, expect }, open)
storageMatchesModel({ describe, test, expect }, open, { fc })
