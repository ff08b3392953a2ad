import { setTimeout as sleep } from 'node:timers/promises'
import { ownMariadb } from '@tillkit/servers'
import { Kysely, MysqlDialect, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import mysql from 'mysql2'
import { expect, test } from 'vitest'
import { type MigrationProgress, migrate } from '../../../src/index.ts'
import { migrateTo } from '../../../src/migrations/migrate.ts'
import { hostDatabaseAt, storageAt } from '../../engines/address.ts'
import { overMariadb, overPostgres } from '../../engines/index.ts'
import { openSession } from '../../faults/session.ts'
import { interceptedAt } from '../intercepted.ts'
import { heldUp, holdUp } from './held.ts'

const MINUTES = 60_000
const OF_TABLES = 'ea586330-2c93-47c8-908d-981d9d270f9d'
const RAN_OUT = `set leased_until = '-infinity'`

overMariadb(() => {
  test('who has no table to make waits for nobody who makes some, and who has is told that it waits', {
    timeout: 5 * MINUTES,
  }, async () => {
    // Of its own, since the lock is the whole server's.
    const server = await ownMariadb()
    const address = { dialect: 'mysql', uri: server.url } as const
    const storage = storageAt(address)
    await storage.migrate()
    const other = await openSession(address)
    await other.run(`select get_lock('${OF_TABLES}', 0)`)
    await storage.migrate()
    await other.run(`delete from ${other.table('migrations')} where name like '0010%'`)
    const told: MigrationProgress[] = []
    const done = storage.migrate({ onProgress: progress => told.push(progress) })
    while (told.length < 2) await sleep(50)
    expect(told[1]).toMatchObject({ migration: '0010-lone-attempts', step: 'tables' })
    await other.run(`select release_lock('${OF_TABLES}')`)
    await done
    await other.close()
    await storage.close()
    await server.remove()
  })

  test('a session that migrates is ended where it says nothing for a minute, and is then as it was', async () => {
    const server = await ownMariadb()
    const pool = mysql.createPool({ uri: server.url, connectionLimit: 1 })
    const limits: number[] = []
    const limit = (on: { query: CallableFunction }) =>
      on.query('select @@wait_timeout as seconds', (_: unknown, rows: { seconds: number }[]) =>
        limits.push(rows[0]?.seconds ?? 0),
      )
    pool.on('connection', connection => {
      const query = connection.query.bind(connection)
      connection.query = ((text: string, ...rest: unknown[]) => {
        if (/get_lock/.test(text)) limit({ query })
        return query(text, ...(rest as [never]))
      }) as never
    })
    const db = new Kysely<unknown>({ dialect: new MysqlDialect({ pool }) })
    const { rows } = await sql<{ seconds: number }>`select @@wait_timeout as seconds`.execute(db)
    await migrate(db, 'mysql')
    expect(new Set(limits)).toEqual(new Set([60]))
    expect((await sql`select @@wait_timeout as seconds`.execute(db)).rows).toEqual(rows)
    await db.destroy()
    await server.remove()
  })
})

overPostgres(engine => {
  const create = () => engine.create({ apart: true })

  test('who has nothing to make waits for nobody: not for a migration of the host, nor within one', async () => {
    const { address, drop } = await create()
    const storage = storageAt(address)
    await storage.migrate()
    const db = hostDatabaseAt(address)
    const provider = { getMigrations: async () => ({ '1': { up: () => storage.migrate() } }) }
    const { error } = await new Migrator({ db, provider }).migrateToLatest()
    expect(error).toBeUndefined()
    await storage.close()
    await db.destroy()
    await drop()
  })

  test('who has the turn and no connection for long does nothing that was decided before', {
    timeout: 5 * MINUTES,
  }, async () => {
    const { address, drop } = await create()
    const before = hostDatabaseAt(address)
    await migrateTo(before, 'postgres', {}, '0003-suspensions-and-keys')
    const host = await openSession(address)
    await host.run(`create index tillkit_deliveries_resting on ${host.table('deliveries')}
      (merchant_id, state, next_attempt_at) where state = 'pending' and next_attempt_at is null`)
    const told: MigrationProgress[] = []
    const onProgress = (progress: MigrationProgress) => told.push(progress)
    let isHad = false
    let beside: Promise<unknown> | undefined
    /** All connections are in use, for as long as another needs to do it all. */
    const useAll = async () => {
      const connection = await pool.connect()
      await host.run(`update ${host.table('migrations_lock')} ${RAN_OUT}`)
      const storage = storageAt(address)
      await storage.migrate({ onProgress })
      await storage.close()
      connection.release()
    }
    const intercept = (statement: string, send: () => ReturnType<typeof host.run>) => {
      if (/insert into .*migrations_lock/.test(statement)) isHad = true
      else if (isHad && / as busy/.test(statement)) beside ??= useAll()
      return send()
    }
    const { db, pool } = interceptedAt(address, intercept as never, { max: 1 })
    await migrate(db, 'postgres', { onProgress })
    await beside
    const built = told.filter(({ step, index, total }) => step === 'build' && total === 1 && index !== null)
    const names = built.map(({ index }) => index)
    expect(names).toEqual([...new Set(names)])
    expect(names).toContain('tillkit_payments_pending')
    const [found] = await host.run(`select indexdef from pg_indexes
      where schemaname = '${'schema' in address ? address.schema : ''}' and indexname = 'tillkit_payments_pending'`)
    expect(found).toBeDefined()
    await host.close()
    await Promise.all([db, before].map(one => one.destroy()))
    await drop()
  })

  test('the turn is kept for as long as an index is built', { timeout: 5 * MINUTES }, async () => {
    const { address, drop } = await create()
    const db = hostDatabaseAt(address)
    await migrateTo(db, 'postgres', {}, '0001-initial')
    const letGo = await holdUp(address)
    const storage = storageAt(address)
    const done = storage.migrate()
    done.catch(() => {})
    await heldUp(address)
    const until = async () => {
      const { rows } = await sql<{ until: string }>`
        select extract(epoch from leased_until)::text as until from tillkit_migrations_lock`.execute(db)
      return Number(rows[0]?.until)
    }
    const first = await until()
    while ((await until()) <= first) await sleep(100)
    await letGo()
    await done
    await storage.close()
    await db.destroy()
    await drop()
  })

  test('an index that is finished while another looks whether it is being built is not built again', {
    timeout: 5 * MINUTES,
  }, async () => {
    const { address, drop } = await create()
    const before = hostDatabaseAt(address)
    await migrateTo(before, 'postgres', {}, '0005-payment-blocks')
    const host = await openSession(address)
    const indexes = () =>
      host.run(`select x.indexrelid as id, x.indisvalid as valid from pg_index as x join pg_class as c on c.oid = x.indexrelid
        where not x.indisunique and c.relnamespace =
          (select oid from pg_namespace where nspname = '${'schema' in address ? address.schema : ''}')`)
    const letGo = await holdUp(address)
    const storage = storageAt(address)
    const building = storage.migrate()
    building.catch(() => {})
    await heldUp(address)
    await host.run(`update ${host.table('migrations_lock')} ${RAN_OUT}`)
    const begun = (await indexes()).filter(({ valid }) => !valid)
    expect(begun).toHaveLength(1)
    let isHad = false
    let finished: Promise<void> | undefined
    const finish = async () => {
      await letGo()
      while ((await indexes()).some(({ valid }) => !valid)) await sleep(5)
    }
    const { db } = interceptedAt(address, async (statement, send) => {
      if (/insert into .*migrations_lock/.test(statement)) isHad = true
      else if (isHad && / as busy/.test(statement)) {
        finished ??= finish()
        await finished
      }
      return send()
    })
    await Promise.all([migrate(db, 'postgres'), building])
    expect(await indexes()).toContainEqual({ ...begun[0], valid: true })
    await host.close()
    await storage.close()
    await Promise.all([db, before].map(one => one.destroy()))
    await drop()
  })

  test('what is done is noted by who has the turn', { timeout: 5 * MINUTES }, async () => {
    const { address, drop } = await create()
    let asked = 0
    const { db } = interceptedAt(address, (statement, send) => {
      if (/insert into .*migrations_lock.* on conflict/s.test(statement)) asked++
      return send()
    })
    await migrateTo(db, 'postgres', {}, '0001-initial')
    await migrate(db, 'postgres')
    const other = await openSession(address)
    await other.run(`delete from ${other.table('migrations')} where name like '0010%'`)
    await other.run(
      `update ${other.table('migrations_lock')} set leased_until = clock_timestamp() + interval '15 seconds'`,
    )
    asked = 0
    let isDone = false
    const done = migrate(db, 'postgres').then(() => {
      isDone = true
    })
    while (asked < 3 && !isDone) await sleep(20)
    const notes = () => other.run(`select from ${other.table('migrations')} where name like '0010%'`)
    expect(await notes()).toEqual([])
    await other.run(`update ${other.table('migrations_lock')} ${RAN_OUT}`)
    await done
    expect(await notes()).toHaveLength(1)
    await other.close()
    await db.destroy()
    await drop()
  })
})
