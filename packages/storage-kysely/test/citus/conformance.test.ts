import { storageConformance, storageMatchesModel } from '@tillkit/storage/conformance'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { kyselyStorage } from '../../src/index.ts'
import { hostDatabaseAt, PATIENT, placeOf } from '../engines/address.ts'
import { createOnCitus } from '../engines/citus.ts'
import { overCitus } from '../engines/over-citus.ts'

const runner = { describe, test, expect }
const runs = Number(process.env.TILLKIT_RUNS ?? 30)

overCitus(() => {
  // Shards take long to make: one store for all capabilities.
  const createOnce = () => {
    let created: ReturnType<typeof createOnCitus> | undefined
    afterAll(async () => (await created)?.drop())
    return () => {
      created ??= createOnCitus()
      return created
    }
  }

  const own = createOnce()
  const open = async () => ({ storage: (await own()).storage, close: async () => {} })
  storageConformance(runner, open)
  storageMatchesModel(runner, open, { fc, runs })

  describe('over the host’s own Kysely', () => {
    const hosted = createOnce()
    const openHosted = async () => {
      const { address } = await hosted()
      const db = hostDatabaseAt(address)
      const storage = kyselyStorage(db, address.dialect, { ...placeOf(address), ...PATIENT })
      return { storage, close: () => db.destroy() }
    }
    storageConformance(runner, openHosted)
  })
})
