import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { migrate } from '../../src/index.ts'
import { hostDatabaseAt } from '../engines/address.ts'
import { inADatabase } from '../engines/in-a-database.ts'
import { overEveryServer, overPostgres } from '../engines/index.ts'
import { schemaOf } from './versions/schema-of.ts'

overEveryServer(({ create }) => {
  const host = inADatabase(create)

  const run = (statement: string) => sql.raw(statement).execute(host.db)
  const isMysql = () => host.address.dialect === 'mysql'
  const indexes: [name: string, table: string][] = [
    ['tillkit_deliveries_delivered', 'tillkit_deliveries'],
    ['tillkit_settlements_of_statement', 'tillkit_settlements'],
  ]

  test.each([undefined, 3])(
    'indexes of migrations that are done are built again where they are gone, in %s partitions',
    async partitions => {
      await migrate(host.db, host.address.dialect, { partitions })
      const whole = await schemaOf(host.db, host.address)
      for (const [index, table] of indexes) await run(`drop index ${index}${isMysql() ? ` on ${table}` : ''}`)
      expect(await schemaOf(host.db, host.address)).not.toEqual(whole)
      await migrate(host.db, host.address.dialect)
      const again = await schemaOf(host.db, host.address)
      // Those of partitions have names of their own, by how they were made.
      const named = (schema: string[]) => schema.filter(line => !/_p\d/.test(line))
      expect(named(again)).toEqual(named(whole))
      expect(again).toHaveLength(whole.length)
    },
  )
})

overPostgres(engine => {
  // Where nobody else builds: who waits is told so.
  const create = () => engine.create({ apart: true })

  test('an index of a migration that is done and that is not whole is built anew', async () => {
    const { address, drop } = await create()
    const db = hostDatabaseAt(address)
    const breakIt = () =>
      sql`update pg_index set indisvalid = false
        where indexrelid = 'tillkit_deliveries_delivered'::regclass`.execute(db)
    const built: string[] = []
    const again = () =>
      migrate(db, 'postgres', { onProgress: ({ step, total }) => total === 1 && built.push(step) })
    await migrate(db, 'postgres')
    await breakIt()
    await again()
    expect(built).toEqual(['drop', 'build'])
    await again()
    expect(built).toHaveLength(2)
    await db.destroy()
    await drop()
  })

  test('one of a migration that was ended before it is done is built anew in a transaction of the host’s too', async () => {
    const { address, drop } = await create()
    const db = hostDatabaseAt(address)
    await migrate(db, 'postgres')
    const whole = await schemaOf(db, address)
    await sql`update pg_index set indisvalid = false
      where indexrelid = 'tillkit_deliveries_undelivered'::regclass`.execute(db)
    await sql`delete from tillkit_migrations where name like '0010%'`.execute(db)
    await db.transaction().execute(trx => migrate(trx, 'postgres'))
    expect(await schemaOf(db, address)).toEqual(whole)
    await db.destroy()
    await drop()
  })

  test('one over partitions that is not whole stays as it is', async () => {
    const { address, drop } = await create()
    const db = hostDatabaseAt(address)
    await migrate(db, 'postgres', { partitions: 2 })
    await sql`update pg_index set indisvalid = false
      where indexrelid = 'tillkit_deliveries_delivered'::regclass`.execute(db)
    const told: unknown[] = []
    await migrate(db, 'postgres', { onProgress: progress => told.push(progress) })
    expect(told).toEqual([])
    await db.destroy()
    await drop()
  })
})
