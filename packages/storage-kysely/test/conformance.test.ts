import { storageConformance, storageMatchesModel } from '@tillkit/storage/conformance'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { kyselyStorage } from '../src/index.ts'
import { sqliteStorage } from '../src/sqlite/index.ts'
import { hostDatabaseAt, PATIENT, storageAt } from './engines/address.ts'
import { overEveryEngine } from './engines/index.ts'

const runner = { describe, test, expect }
const runs = Number(process.env.TILLKIT_RUNS ?? 30)

overEveryEngine(({ create }) => {
  const open = async () => {
    const { address, drop } = await create()
    const storage = storageAt(address)
    await storage.migrate()
    const close = async () => {
      await storage.close()
      await drop()
    }
    return { storage, close }
  }
  storageConformance(runner, open)
  storageMatchesModel(runner, open, { fc, runs })

  describe('over the host’s own Kysely', () => {
    const openHosted = async () => {
      const { address, drop } = await create()
      const owner = storageAt(address)
      await owner.migrate()
      await owner.close()
      const db = hostDatabaseAt(address)
      const close = async () => {
        await db.destroy()
        await drop()
      }
      return { storage: kyselyStorage(db, address.dialect, PATIENT), close }
    }
    storageConformance(runner, openHosted)
    storageMatchesModel(runner, openHosted, { fc, runs })
  })
})

describe('SQLite in memory', () => {
  const open = async () => {
    const storage = sqliteStorage({ file: ':memory:' })
    await storage.migrate()
    return { storage, close: () => storage.close() }
  }
  storageConformance(runner, open)
  storageMatchesModel(runner, open, { fc, runs })
})
