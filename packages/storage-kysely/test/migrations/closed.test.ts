import { expect, test } from 'vitest'
import { migrateTo } from '../../src/migrations/migrate.ts'
import { hostDatabaseAt, PATIENT, storageAt } from '../engines/address.ts'
import { overEveryEngine, overEveryServer } from '../engines/index.ts'
import { heldUp, holdUp } from './beside/held.ts'
import { openFirstShop } from './versions/first-version.ts'

overEveryEngine(({ create }) => {
  test('a storage that is closed migrates nothing and opens nothing', async () => {
    const { address, drop } = await create()
    const storage = storageAt(address)
    await storage.close()
    await expect(storage.migrate()).rejects.toThrow('the storage is closed')
    await drop()
  })
})

overEveryServer(({ create }) => {
  test('a storage that closes ends a migration that is held up, which the next one takes up again', {
    timeout: 120_000,
  }, async () => {
    const { address, drop } = await create({ apart: true })
    const before = hostDatabaseAt(address)
    await migrateTo(before, address.dialect, {}, '0001-initial')
    await before.destroy()
    await openFirstShop(address)
    const letGo = await holdUp(address)
    const storage = storageAt(address, {}, { ...PATIENT, writeTimeoutSeconds: 1 })
    const migrated = storage.migrate().then(
      () => 'migrated',
      error => error.constructor.name,
    )
    await heldUp(address)
    await storage.close()
    expect(await migrated).toBe('DatabaseError')
    await letGo()
    const next = storageAt(address)
    await next.migrate()
    expect(await next.migrated?.()).toBe(true)
    await next.close()
    await drop()
  })
})
