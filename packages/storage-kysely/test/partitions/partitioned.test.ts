import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DatabaseError, migrate } from '../../src/index.ts'
import { hostDatabaseAt, storageAt } from '../engines/address.ts'
import { conformanceIn } from '../engines/conformance-in.ts'
import { overEveryEngine, overEveryServer } from '../engines/index.ts'
import { race } from '../processes/race.ts'
import { partitionsIn } from './partitions-in.ts'

const PARTITIONS = 4
const GROWING = [
  ...['cash_ups', 'deliveries', 'delivery_attempts', 'payment_blocks', 'payment_sums', 'payments'],
  'settlements',
]

overEveryServer(({ create }) => {
  describe('in partitions by merchant', () => conformanceIn({ partitions: PARTITIONS }, { create }))

  const freshDatabase = async () => {
    const database = await create()
    const db = hostDatabaseAt(database.address)
    const storage = storageAt(database.address)
    onTestFinished(async () => {
      await storage.close()
      await db.destroy()
      await database.drop()
    })
    return { database, db, storage, laidOut: () => partitionsIn(db, database.address) }
  }

  test('what grows with payments has as many partitions as are asked for, at every later start', async () => {
    const { database, db, storage, laidOut } = await freshDatabase()
    const all = new Map(GROWING.map(name => [`tillkit_${name}`, PARTITIONS]))
    await storage.migrate({ partitions: PARTITIONS })
    expect(await laidOut()).toEqual(all)
    await storage.migrate()
    await migrate(db, database.address.dialect, { partitions: PARTITIONS })
    expect(await laidOut()).toEqual(all)
  })

  test('tables that are there stay as they are, and who asks for another number of partitions is told', async () => {
    const { storage, laidOut } = await freshDatabase()
    await storage.migrate()
    const refused = await storage.migrate({ partitions: 8 }).catch(error => error)
    expect(refused).toBeInstanceOf(DatabaseError)
    expect(refused.message).toContain(
      'the tables are there already, in one piece, and are not made anew in 8',
    )
    expect(await laidOut()).toEqual(new Map())
  })

  test('another number than they have is refused too', async () => {
    const { storage, laidOut } = await freshDatabase()
    await storage.migrate({ partitions: PARTITIONS })
    await expect(storage.migrate({ partitions: 8 })).rejects.toThrow('already, in 4 partitions')
    expect(new Set((await laidOut()).values())).toEqual(new Set([PARTITIONS]))
  })

  test('four processes race over partitions, and two of them are killed', { timeout: 300_000 }, async () => {
    const { database, storage } = await freshDatabase()
    await storage.migrate({ partitions: PARTITIONS })
    await race([database.address])
  })
})

overEveryEngine(({ name, create }) => {
  test('a wrong number of partitions is named before anything is made', async () => {
    const { address, drop } = await create()
    const storage = storageAt(address)
    const wanted = name === 'SQLite' ? 'not of sqlite' : 'partitions must be a whole number from 2 to 1024'
    for (const partitions of [0, 1, 2.5, 1025, '4' as never]) {
      const refusal = { code: 'invalid_input', message: expect.stringContaining(wanted) }
      await expect(storage.migrate({ partitions })).rejects.toMatchObject(refusal)
    }
    const mistyped = { partition: 4 } as never
    await expect(storage.migrate(mistyped)).rejects.toMatchObject({ code: 'invalid_input' })
    const db = hostDatabaseAt(address)
    await expect(sql`select * from tillkit_payments`.execute(db)).rejects.toThrow()
    await db.destroy()
    await storage.close()
    await drop()
  })
})
