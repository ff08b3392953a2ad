import { setImmediate } from 'node:timers/promises'
import type { Storage } from '@tillkit/storage'
import { storageConformance, storageMatchesModel } from '@tillkit/storage/conformance'
import { memoryStorage } from '@tillkit/storage/memory'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

/** A store of one's own: this one keeps all in memory and answers outcomes a little later. */
function myStorage(): Storage {
  const kept = memoryStorage()
  return {
    ...kept,
    payments: {
      ...kept.payments,
      async resolve(...given) {
        await setImmediate()
        return kept.payments.resolve(...given)
      },
    },
  }
}

const open = async () => ({ storage: myStorage(), close: async () => {} })

storageConformance({ describe, test, expect }, open)
storageMatchesModel({ describe, test, expect }, open, { fc })
