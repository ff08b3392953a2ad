import type { CompiledQuery, Kysely } from 'kysely'
import { onTestFinished } from 'vitest'
import { dialectOf } from '../../src/dialects/index.ts'
import { kyselyStorage } from '../../src/index.ts'
import { databaseOf } from '../../src/kysely-storage.ts'
import { type HostTables, hostDatabaseAt, PATIENT, placeOf, storageAt } from './address.ts'
import type { Engine } from './engine.ts'

/** A database of the test's own, and a storage over a host's Kysely, which keeps the queries that it sends. */
export async function openHeardHost({ create }: Pick<Engine, 'create'>) {
  const { address, drop } = await create({ apart: true })
  const owner = storageAt(address)
  await owner.migrate()
  await owner.close()
  const queries: CompiledQuery[] = []
  const db: Kysely<HostTables> = hostDatabaseAt(address, ({ query }) => {
    queries.push(query)
  })
  onTestFinished(async () => {
    await db.destroy()
    await drop()
  })
  const database = databaseOf(db as never, dialectOf(address.dialect), {})
  const storage = kyselyStorage(db, address.dialect, { ...PATIENT, ...placeOf(address) })
  return { address, db, database, storage, deliveries: storage.deliveries, queries }
}
