import { storageConformance } from '@tillkit/storage/conformance'
import { afterAll, describe, expect, test } from 'vitest'
import type { DatabaseStorage, Layout } from '../../src/index.ts'
import { storageAt } from './address.ts'
import type { Engine, TestDatabase } from './engine.ts'

/** The whole conformance suite over tables of that layout. They take long to make: one store for all capabilities. */
export function conformanceIn(layout: Layout, { create }: Pick<Engine, 'create'>): void {
  let opened: Promise<{ database: TestDatabase; storage: DatabaseStorage }> | undefined
  const openOnce = async () => {
    const database = await create()
    const storage = storageAt(database.address)
    await storage.migrate(layout)
    return { database, storage }
  }

  afterAll(async () => {
    const { database, storage } = (await opened) ?? {}
    await storage?.close()
    await database?.drop()
  })

  storageConformance({ describe, test, expect }, async () => {
    opened ??= openOnce()
    return { storage: (await opened).storage, close: async () => {} }
  })
}
