import { createTill } from '@tillkit/till'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { DatabaseError, migrate } from '../../src/index.ts'
import { migrateTo } from '../../src/migrations/migrate.ts'
import { MIGRATIONS } from '../../src/migrations/migrations.ts'
import { hostDatabaseAt, storageAt } from '../engines/address.ts'
import { inADatabase } from '../engines/in-a-database.ts'
import { overEveryEngine } from '../engines/index.ts'
import { tablesOf } from '../engines/tables-of.ts'
import { end, forkProgram } from '../processes/fork.ts'
import { EARLIER_VERSIONS } from './versions/earlier-versions.ts'
import { schemaOf } from './versions/schema-of.ts'

overEveryEngine(({ create }) => {
  const host = inADatabase(create)

  const tables = () => tablesOf(host.db, host.address)

  test('creates the tables, and the second time changes nothing', async () => {
    const storage = storageAt(host.address)
    await storage.migrate()
    const created = await tables()
    expect(created).toContain('tillkit_payments')
    const till = createTill({ storage })
    await till.merchants.create({ id: 'shop', name: 'Shop' })
    await storage.migrate()
    expect(await tables()).toEqual(created)
    expect((await till.merchants.get('shop'))?.name).toBe('Shop')
    await storage.close()
  })

  test('what hears of its progress may throw, or answer a promise that rejects, and it is done all the same', async () => {
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    let heard = 0
    const onProgress = () => {
      const error = new Error('nobody looks')
      if (heard++ % 2 === 0) return Promise.reject(error)
      throw error
    }
    const storage = storageAt(host.address)
    await storage.migrate({ onProgress })
    expect(await storage.migrated?.()).toBe(true)
    expect(heard).toBeGreaterThan(1)
    await storage.close()
    await new Promise(resolve => setImmediate(resolve))
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })

  test('databases are made and dropped beside one another', async () => {
    const one = async () => {
      const beside = await create()
      const storage = storageAt(beside.address)
      await storage.migrate()
      await storage.close()
      await storage.close()
      await beside.drop()
    }
    await Promise.all(Array.from({ length: 8 }, one))
  })

  test('tables carry the prefix that the host chooses, and two stores with two prefixes share a database', async () => {
    const [one, other] = [
      storageAt(host.address, { tablePrefix: 'pay_' }),
      storageAt(host.address, { tablePrefix: 'Q-x_' }),
    ]
    await one.migrate()
    await other.migrate()
    const names = await tables()
    expect(names.filter(name => !/^(pay_|Q-x_|sqlite_)/.test(name))).toEqual([])
    expect(names).toContain('pay_payments')
    expect(names).toContain('Q-x_payments')
    await createTill({ storage: one }).merchants.create({ id: 'shop', name: 'Shop' })
    expect(await other.merchants.get('shop')).toBe(null)
    await one.close()
    await other.close()
  })

  describe('without a prefix, a table of the host’s own', () => {
    test.each(['merchants', 'payments', 'failing_endpoints', 'migrations', 'migrations_lock', 'pay_ledgers'])(
      '%s is found before anything is made',
      async name => {
        await host.db.schema
          .createTable(name)
          .addColumn('id', 'integer', column => column.notNull().primaryKey())
          .addColumn('name', 'varchar(100)')
          .execute()
        await sql`insert into ${sql.table(name)} values (1, 'the host’s')`.execute(host.db)
        const tablePrefix = name.startsWith('pay_') ? 'pay_' : ''
        const storage = storageAt(host.address, { tablePrefix })
        const made = [storage.migrate(), migrate(host.db, host.address.dialect, { tablePrefix })]
        for (const refused of await Promise.allSettled(made)) {
          if (refused.status === 'fulfilled') throw new Error('it was not refused')
          expect(refused.reason).toBeInstanceOf(DatabaseError)
          expect(refused.reason.message).toBe(
            `the database has a table ${name} already, which is not Tillkit's: choose another tablePrefix, or another schema`,
          )
        }
        expect((await tables()).filter(table => !table.startsWith('sqlite_'))).toEqual([name])
        await storage.close()
        const apart = storageAt(host.address)
        await apart.migrate()
        await apart.close()
      },
    )

    test('migrations is found too where another library keeps it, with columns of ours among its own', async () => {
      await host.db.schema
        .createTable('migrations')
        .addColumn('id', 'integer', column => column.notNull().primaryKey())
        .addColumn('timestamp', 'bigint')
        .addColumn('name', 'varchar(100)')
        .execute()
      await sql`insert into migrations values (1, 1, 'CreateOrders1')`.execute(host.db)
      const storage = storageAt(host.address, { tablePrefix: '' })
      await expect(storage.migrate()).rejects.toThrow(
        /has a table migrations already, which is not Tillkit's/,
      )
      await storage.close()
    })

    test('nothing is in the way where there is none, and the second time neither', async () => {
      const storage = storageAt(host.address, { tablePrefix: '' })
      await storage.migrate()
      await storage.migrate()
      expect(await tables()).toContain('payments')
      await storage.close()
    })
  })

  test('a migration that was killed half way is finished by the next', async () => {
    const storage = storageAt(host.address)
    await storage.migrate()
    if (host.address.dialect === 'mysql') {
      // What MySQL leaves of one: tables, and no word that it was done.
      await sql`delete from tillkit_migrations`.execute(host.db)
      await sql`drop table tillkit_deliveries, tillkit_failing_endpoints`.execute(host.db)
    }
    await storage.migrate()
    await createTill({ storage }).merchants.create({ id: 'shop', name: 'Shop' })
    await storage.close()
  })

  test('the host may migrate with its own Kysely', async () => {
    await migrate(host.db, host.address.dialect)
    const storage = storageAt(host.address)
    await createTill({ storage }).merchants.create({ id: 'shop', name: 'Shop' })
    await storage.close()
  })

  test('refuses a database of a newer version, in one line', async () => {
    const storage = storageAt(host.address)
    await storage.migrate()
    await sql`insert into ${sql.table('tillkit_migrations')} values ('9999-the-future', '2030-01-01T00:00:00.000Z')`.execute(
      host.db,
    )
    const refused = await storage.migrate().catch(error => error)
    expect(refused).toBeInstanceOf(DatabaseError)
    expect(refused.message).toBe(
      'the database was written by a newer version of Tillkit (migration 9999-the-future)',
    )
    await storage.close()
  })

  test('four processes may migrate at once', async () => {
    const children = Array.from({ length: 4 }, () => forkProgram('migrator.ts', { address: host.address }))
    await Promise.all(children.map(child => new Promise(ready => child.once('message', ready))))
    for (const child of children) child.send('go')
    expect(await Promise.all(children.map(end))).toEqual([0, 0, 0, 0])
    const storage = storageAt(host.address)
    expect((await storage.merchants.list({ limit: 10 })).length).toBe(4)
    await storage.close()
  })

  test('the version before this one may go on writing while the others are replaced', async () => {
    const storage = storageAt(host.address)
    await storage.migrate()
    const before = EARLIER_VERSIONS['0001-initial']
    await before?.write(host.db, host.address.dialect)
    await before?.check(createTill({ storage }))
    await storage.close()
  })

  test('a migration of columns that was killed half way is finished by the next', async () => {
    const storage = storageAt(host.address)
    await storage.migrate()
    if (host.address.dialect === 'mysql') {
      await sql`delete from tillkit_migrations where name >= '0003'`.execute(host.db)
      await sql`alter table tillkit_merchants drop column previous_webhook_key_until`.execute(host.db)
    }
    await storage.migrate()
    await createTill({ storage }).merchants.create({ id: 'shop', name: 'Shop' })
    await storage.close()
  })

  test('merchants of the first version have been suspended never, and not nobody knows how often', async () => {
    const { dialect } = host.address
    await migrateTo(host.db, dialect, {}, '0001-initial')
    await EARLIER_VERSIONS['0001-initial']?.write(host.db, dialect)
    await migrate(host.db, dialect)
    const { rows } = await sql<{ times: unknown }>`select suspensions as times from tillkit_ledgers`.execute(
      host.db,
    )
    expect(rows.map(({ times }) => `${times}`)).toEqual(['0'])
  })

  describe('upgrades, with data in it, to the schema that a new database has, from', () => {
    let fresh: string[]

    beforeEach(async () => {
      fresh ??= await schemaOfNew()
    })

    const schemaOfNew = async () => {
      const beside = await create()
      const other = hostDatabaseAt(beside.address)
      await migrate(other, beside.address.dialect)
      const schema = await schemaOf(other, beside.address)
      await other.destroy()
      await beside.drop()
      return schema
    }

    for (const version of Object.keys(MIGRATIONS)) {
      test(version, async () => {
        const earlier = EARLIER_VERSIONS[version]
        if (!earlier)
          throw new Error(`describe the data of ${version} in test/migrations/versions/earlier-versions.ts`)
        const { dialect } = host.address
        await migrateTo(host.db, dialect, {}, version)
        await earlier.write(host.db, dialect)
        const storage = storageAt(host.address)
        await storage.migrate()
        await earlier.check(createTill({ storage }))
        await storage.close()
        expect(await schemaOf(host.db, host.address)).toEqual(fresh)
      })
    }
  })
})
