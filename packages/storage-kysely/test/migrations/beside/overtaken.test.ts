import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { DatabaseError, migrate } from '../../../src/index.ts'
import { migrateTo } from '../../../src/migrations/migrate.ts'
import { type Address, hostDatabaseAt, storageAt } from '../../engines/address.ts'
import { overPostgres } from '../../engines/index.ts'
import { openSession, type Session } from '../../faults/session.ts'
import { interceptedAt } from '../intercepted.ts'

const MINUTES = 60_000

overPostgres(({ create }) => {
  /** A database, as far as a version. */
  const migratedTo = async (version?: string) => {
    const { address, drop } = await create({ apart: true })
    const db = hostDatabaseAt(address)
    if (version === undefined) await migrate(db, 'postgres')
    else await migrateTo(db, 'postgres', {}, version)
    await db.destroy()
    return { address, drop, host: await openSession(address) }
  }

  /** Another process does all there is to do, as it may where the turn of one that stopped has run out. */
  const overtake = async (address: Address, host: Session) => {
    await host.run(`update ${host.table('migrations_lock')} set leased_until = '-infinity'`)
    const other = storageAt(address)
    await other.migrate()
    await other.close()
  }

  const file = async (host: Session, address: Address, index: string) =>
    (
      await host.run(`select '"${'schema' in address ? address.schema : ''}".${index}'::regclass::oid as id`)
    )[0]

  test('who stops until its turn is another’s takes away no index that is whole by then', {
    timeout: 5 * MINUTES,
  }, async () => {
    const { address, drop, host } = await migratedTo()
    const index = 'tillkit_deliveries_delivered'
    await host.run(`update pg_index set indisvalid = false
      where indexrelid = '"${'schema' in address ? address.schema : ''}".${index}'::regclass`)
    let isHad = false
    let built: unknown
    const { db } = interceptedAt(address, async (statement, send) => {
      const found = await send()
      if (/insert into .*migrations_lock/.test(statement)) isHad = true
      else if (isHad && built === undefined && /indpred/.test(statement)) {
        await overtake(address, host)
        built = await file(host, address, index)
      }
      return found
    })
    await migrate(db, 'postgres')
    expect(built).toBeDefined()
    expect(await file(host, address, index)).toEqual(built)
    await host.close()
    await db.destroy()
    await drop()
  })

  test('and who stops before it builds one finds it there', { timeout: 5 * MINUTES }, async () => {
    const { address, drop, host } = await migratedTo('0005-payment-blocks')
    let isOvertaken = false
    const { db } = interceptedAt(address, async (statement, send) => {
      if (!isOvertaken && /^create index concurrently/.test(statement)) {
        isOvertaken = true
        await overtake(address, host)
      }
      return send()
    })
    await migrate(db, 'postgres')
    expect(isOvertaken).toBe(true)
    await host.close()
    await db.destroy()
    await drop()
  })

  test('nor does who notes what another has noted by then fail', { timeout: 5 * MINUTES }, async () => {
    const { address, drop, host } = await migratedTo('0008-payment-sums')
    const storage = storageAt(address)
    await storage.migrate()
    await storage.close()
    let isOvertaken = false
    const { db } = interceptedAt(address, async (statement, send) => {
      if (!isOvertaken && /insert into .*'0009-settlements-correction'/s.test(statement)) {
        isOvertaken = true
        const other = storageAt(address)
        await other.migrate({ contract: true })
        await other.close()
      }
      return send()
    })
    await migrate(db, 'postgres', { contract: true })
    expect(isOvertaken).toBe(true)
    await host.close()
    await db.destroy()
    await drop()
  })

  test('who waits for its turn until a newer version has had it is refused', {
    timeout: 5 * MINUTES,
  }, async () => {
    const { address, drop, host } = await migratedTo('0005-payment-blocks')
    let asked = 0
    const { db } = interceptedAt(address, (statement, send) => {
      if (/pg_try_advisory_xact_lock/.test(statement)) asked++
      return send()
    })
    await host.run('select pg_advisory_lock(3853314791062309107)')
    const refused = migrate(db, 'postgres').catch(error => error)
    while (asked < 2) await sleep(10)
    await host.run(
      `insert into ${host.table('migrations')} values ('9999-the-future', '2030-01-01T00:00:00.000Z')`,
    )
    await host.run('select pg_advisory_unlock_all()')
    expect(await refused).toBeInstanceOf(DatabaseError)
    expect((await refused).message).toContain('newer version of Tillkit (migration 9999-the-future)')
    await host.close()
    await db.destroy()
    await drop()
  })

  test('a turn that a clock has left further ahead than any is had for, as one that was set back does, is over', {
    timeout: MINUTES,
  }, async () => {
    const { address, drop, host } = await migratedTo('0005-payment-blocks')
    const storage = storageAt(address)
    await storage.migrate()
    await host.run(`delete from ${host.table('migrations')} where name like '0010%'`)
    await host.run(
      `update ${host.table('migrations_lock')} set leased_until = clock_timestamp() + interval '1 hour'`,
    )
    await storage.migrate()
    expect(await storage.migrated?.()).toBe(true)
    await storage.close()
    await host.close()
    await drop()
  })
})
