import type { Storage } from '@tillkit/storage'
import { storageConformance, storageMatchesModel } from '@tillkit/storage/conformance'
import { memoryStorage } from '@tillkit/storage/memory'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

/** A store that leaves all deliveries to `claim`. */
function withoutLeases(): Storage {
  const kept = memoryStorage()
  const { payments } = kept
  return {
    ...kept,
    payments: {
      ...payments,
      resolve: (key, outcome, now, traceparent) => payments.resolve(key, outcome, now, traceparent),
    },
  }
}

const open = async () => ({ storage: withoutLeases(), close: async () => {} })

storageConformance({ describe, test, expect }, open)
storageMatchesModel({ describe, test, expect }, open, { fc })
