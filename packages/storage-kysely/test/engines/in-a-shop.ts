import { beforeEach } from 'vitest'
import type { DatabaseStorage } from '../../src/index.ts'
import { openShop } from '../faults/shop.ts'
import { storageAt } from './address.ts'
import type { Engine, TestDatabase } from './engine.ts'

export interface Shop {
  readonly database: TestDatabase
  readonly storage: DatabaseStorage
}

type Hook = (open: () => Promise<() => Promise<void>>) => void

/**
 * Opens a shop in a database of its own before each test of a suite, or before all with `beforeAll`, and drops that once what they
 * opened is closed.
 */
export function inAShop(create: Engine['create'], before: Hook = beforeEach): Shop {
  const shop: { -readonly [Part in keyof Shop]?: Shop[Part] } = {}
  before(async () => {
    const database = await create()
    const storage = storageAt(database.address)
    Object.assign(shop, { database, storage })
    await storage.migrate()
    await openShop(storage)
    return async () => {
      await storage.close()
      await database.drop()
    }
  })
  return shop as Shop
}
