import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DatabaseError, type MigrationProgress, migrate } from '../../../src/index.ts'
import { migrateTo } from '../../../src/migrations/migrate.ts'
import { type HostTables, hostDatabaseAt, storageAt } from '../../engines/address.ts'
import type { TestDatabase } from '../../engines/engine.ts'
import { overEveryServer, overMariadb, overPostgres } from '../../engines/index.ts'
import { terminate } from '../../faults/session.ts'
import { end, forkProgram } from '../../processes/fork.ts'
import { EARLIER_VERSIONS } from '../versions/earlier-versions.ts'
import { openFirstShop } from '../versions/first-version.ts'
import { schemaOf } from '../versions/schema-of.ts'
import { busyShop } from './busy-shop.ts'
import { heldUp, holdTable, holdUp } from './held.ts'

const FIRST = '0001-initial'
const MINUTES = 60_000

overEveryServer(engine => {
  const create = () => engine.create({ apart: true })
  let database: TestDatabase
  let db: Kysely<HostTables>

  beforeEach(async () => {
    database = await create()
    db = hostDatabaseAt(database.address)
  })

  afterEach(async () => {
    await db.destroy()
    await database.drop()
  })

  /** A database of the first version, with rows in each table. */
  const firstVersion = async () => {
    const { dialect } = database.address
    await migrateTo(db, dialect, {}, FIRST)
    await EARLIER_VERSIONS[FIRST]?.write(db, dialect)
  }

  const schemaOfNew = async () => {
    const beside = await create()
    const other = hostDatabaseAt(beside.address)
    await migrate(other, beside.address.dialect)
    const schema = await schemaOf(other, beside.address)
    await other.destroy()
    await beside.drop()
    return schema
  }

  const isAsNew = async () => expect(await schemaOf(db, database.address)).toEqual(await schemaOfNew())

  /** A migration in this process, and when it has come to an index. */
  const migrating = () => {
    const told: MigrationProgress[] = []
    const storage = storageAt(database.address)
    const done = storage
      .migrate({ onProgress: progress => told.push(progress) })
      .finally(() => storage.close())
    done.catch(() => {})
    return { told, done }
  }

  const forked = async () => {
    const child = forkProgram('migrator.ts', { address: database.address })
    await new Promise(ready => child.once('message', ready))
    child.send('go')
    return child
  }

  test('payments are started, completed, listed and delivered by the first version and by this one while indexes are built', {
    timeout: 5 * MINUTES,
  }, async () => {
    await migrateTo(db, database.address.dialect, {}, FIRST)
    await openFirstShop(database.address)
    const shop = await busyShop(database.address)
    await shop.answered(3)
    const letGo = await holdUp(database.address)
    const { done, told } = migrating()
    let isDone = false
    done.then(
      () => {
        isDone = true
      },
      () => {},
    )
    await heldUp(database.address)
    shop.thisVersion()
    // Nobody who has been answered so often has waited for the build: it goes on.
    await shop.answered(20)
    expect(isDone).toBe(false)
    await letGo()
    await done
    await shop.answered(3)
    await shop.close()
    await isAsNew()
    expect(told.map(({ step }) => step)).toContain('build')
  })

  test('and while a column waits for a transaction that has read its table', {
    timeout: 5 * MINUTES,
  }, async () => {
    await migrateTo(db, database.address.dialect, {}, FIRST)
    await openFirstShop(database.address)
    const shop = await busyShop(database.address)
    const letGo = await holdTable(database.address, 'ledgers')
    const { done, told } = migrating()
    while (!told.some(({ migration }) => migration.startsWith('0003'))) await shop.answered(1)
    await shop.answered(20)
    expect(told.filter(({ step }) => step !== 'tables')).toEqual([])
    await letGo()
    await done
    await shop.answered(3)
    await shop.close()
    await isAsNew()
  })

  test('six processes at once bring the first version up to date', { timeout: 5 * MINUTES }, async () => {
    await firstVersion()
    const children = await Promise.all(Array.from({ length: 6 }, forked))
    expect(await Promise.all(children.map(end))).toEqual([0, 0, 0, 0, 0, 0])
    await isAsNew()
  })

  describe('a process that is killed while it builds an index', () => {
    test('is followed by another, which waits for what it has begun', { timeout: 5 * MINUTES }, async () => {
      await firstVersion()
      const letGo = await holdUp(database.address)
      const child = await forked()
      await heldUp(database.address)
      child.kill('SIGKILL')
      expect(await end(child)).toBe('SIGKILL')
      const { told, done } = migrating()
      while (!told.some(({ phase }) => phase !== null)) await new Promise(resolve => setTimeout(resolve, 20))
      await letGo()
      await done
      await isAsNew()
    })

    test('with its session leaves no index that is not whole', { timeout: 5 * MINUTES }, async () => {
      await firstVersion()
      const letGo = await holdUp(database.address)
      const child = await forked()
      const session = await heldUp(database.address)
      child.kill('SIGKILL')
      await terminate(database.address, session)
      await end(child)
      await letGo()
      await migrating().done
      await isAsNew()
    })
  })

  test('what the version before reads by stays until it is said that it may go', {
    timeout: 5 * MINUTES,
  }, async () => {
    await firstVersion()
    const before = await schemaOf(db, database.address)
    const storage = storageAt(database.address)
    await storage.migrate({ contract: false })
    const beside = (await schemaOf(db, database.address)).join('\n')
    const replaced = before.filter(line => /INDEX tillkit_(payments_pending|deliveries_due) /.test(line))
    expect(replaced.length).toBe(database.address.dialect === 'postgres' ? 2 : 0)
    for (const line of replaced) expect(beside).toContain(line.split(' ON ')[1])
    await storage.migrate()
    await isAsNew()
    await storage.close()
  })

  test('who listens is told of each index, when it is begun and when it is there', {
    timeout: 5 * MINUTES,
  }, async () => {
    await firstVersion()
    const { told, done } = migrating()
    await done
    const ofDelivered = told.filter(({ index }) => index === 'tillkit_deliveries_delivered')
    const what = { migration: '0002-endpoints-and-attempts', step: 'build', table: 'tillkit_deliveries' }
    expect(ofDelivered[0]).toMatchObject({ ...what, done: 0 })
    expect(ofDelivered.find(({ done, total }) => done > 0 && done === total)).toMatchObject(what)
    const again = migrating()
    await again.done
    expect(again.told).toEqual([])
  })

  test('tables in partitions are brought up to date like others', { timeout: 5 * MINUTES }, async () => {
    const { dialect } = database.address
    await migrateTo(db, dialect, { partitions: 3 }, FIRST)
    await EARLIER_VERSIONS[FIRST]?.write(db, dialect)
    const { done } = migrating()
    await done
    const names = (schema: string[]) => schema.filter(line => !/_p\d/.test(line))
    const beside = await create()
    const other = hostDatabaseAt(beside.address)
    await migrate(other, dialect, { partitions: 3 })
    expect(names(await schemaOf(db, database.address))).toEqual(names(await schemaOf(other, beside.address)))
    await other.destroy()
    await beside.drop()
  })
})

overMariadb(({ create }) => {
  test('an index that the engine cannot build while others write is named, and by hand it may be built', async () => {
    const { address, drop } = await create()
    const db = hostDatabaseAt(address)
    await migrateTo(db, 'mysql', {}, FIRST)
    await sql`alter table tillkit_deliveries engine = Aria`.execute(db)
    const refused = await migrate(db, 'mysql').catch(error => error)
    expect(refused).toBeInstanceOf(DatabaseError)
    expect(refused.message).toContain('tillkit_deliveries_delivered of tillkit_deliveries while others write')
    await sql`create index tillkit_deliveries_delivered on tillkit_deliveries (state, last_attempt_at)`.execute(
      db,
    )
    await migrate(db, 'mysql')
    await db.destroy()
    await drop()
  })
})

overPostgres(engine => {
  const create = () => engine.create({ apart: true })

  test('a change that waits for its table holds no other', { timeout: 5 * MINUTES }, async () => {
    const { address, drop } = await create()
    const db = hostDatabaseAt(address)
    await migrateTo(db, 'postgres', {}, FIRST)
    await openFirstShop(address)
    const shop = await busyShop(address)
    const letGo = await holdTable(address, 'merchants')
    const storage = storageAt(address)
    const done = storage.migrate()
    done.catch(() => {})
    const isThere = async (table: string, column: string) => {
      const { rows } = await sql`select from information_schema.columns
        where table_schema = current_schema() and table_name = ${table} and column_name = ${column}`.execute(
        db,
      )
      return rows.length > 0
    }
    while (!(await isThere('tillkit_api_keys', 'expires_at'))) await shop.answered(1)
    expect(await isThere('tillkit_ledgers', 'suspended_at')).toBe(true)
    expect(await isThere('tillkit_merchants', 'previous_webhook_key')).toBe(false)
    await letGo()
    await done
    await shop.close()
    await storage.close()
    await db.destroy()
    await drop()
  })

  test('a statement_timeout of the role ends no build', { timeout: 5 * MINUTES }, async () => {
    const { address, drop } = await create()
    if (address.dialect !== 'postgres') throw new Error('not PostgreSQL')
    const db = hostDatabaseAt(address)
    await migrateTo(db, 'postgres', {}, FIRST)
    await EARLIER_VERSIONS[FIRST]?.write(db, 'postgres')
    const letGo = await holdUp(address)
    const hasty = new URL(address.connectionString)
    hasty.searchParams.set('options', '-c statement_timeout=1000')
    const storage = storageAt({ ...address, connectionString: hasty.href })
    const done = storage.migrate()
    done.catch(() => {})
    await heldUp(address)
    await new Promise(resolve => setTimeout(resolve, 1500))
    await letGo()
    await done
    await storage.close()
    await db.destroy()
    await drop()
  })

  test('in a transaction of the host’s an empty database is given its tables', async () => {
    const { address, drop } = await create()
    const db = hostDatabaseAt(address)
    await db.transaction().execute(trx => migrate(trx, 'postgres'))
    const after = await schemaOf(db, address)
    await migrate(db, 'postgres')
    expect(await schemaOf(db, address)).toEqual(after)
    await db.destroy()
    await drop()
  })

  test('in a transaction of the host’s all of it is done or nothing', { timeout: 5 * MINUTES }, async () => {
    const { address, drop } = await create()
    const db = hostDatabaseAt(address)
    await migrateTo(db, 'postgres', {}, FIRST)
    await EARLIER_VERSIONS[FIRST]?.write(db, 'postgres')
    const before = await schemaOf(db, address)
    const undone = db.transaction().execute(async trx => {
      await migrate(trx, 'postgres')
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await schemaOf(db, address)).toEqual(before)
    await db.transaction().execute(trx => migrate(trx, 'postgres'))
    const after = await schemaOf(db, address)
    await migrate(db, 'postgres')
    expect(await schemaOf(db, address)).toEqual(after)
    expect((await sql`select from tillkit_payment_blocks`.execute(db)).rows).toEqual([])
    await db.destroy()
    await drop()
  })
})
