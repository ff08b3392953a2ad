import { setTimeout as sleep } from 'node:timers/promises'
import { ownMariadb, ownPostgres } from '@tillkit/servers'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { DatabaseError } from '../../src/index.ts'
import { migrateTo } from '../../src/migrations/migrate.ts'
import { changedAddress, hostDatabaseAt, storageAt } from '../engines/address.ts'
import { overMariadb } from '../engines/index.ts'
import { createUser } from '../engines/user.ts'
import { openShop } from '../faults/shop.ts'
import { heldUp, holdUp } from './beside/held.ts'
import { EARLIER_VERSIONS } from './versions/earlier-versions.ts'

const FIRST = '0001-initial'

overMariadb(({ create }) => {
  test('a max_statement_time of the user ends no build, and is an answer to anything else', async () => {
    const { address, drop } = await create()
    const db = hostDatabaseAt(address)
    await migrateTo(db, 'mysql', {}, FIRST)
    await EARLIER_VERSIONS[FIRST]?.write(db, 'mysql')
    const user = await createUser(address, 'all privileges')
    const { username } = new URL('uri' in user.address ? user.address.uri : '')
    await sql.raw(`alter user '${username}'@'%' with max_statement_time 0.5`).execute(db)
    const letGo = await holdUp(address)
    const storage = storageAt(user.address)
    const done = storage.migrate()
    done.catch(() => {})
    await heldUp(address)
    // A try waits for a second.
    await sleep(1500)
    await letGo()
    await done

    const held = await db.connection().execute(async holder => {
      await sql`lock tables tillkit_merchants write`.execute(holder)
      const refused = await openShop(storage, 'another').catch(error => error)
      await sql`unlock tables`.execute(holder)
      return refused
    })
    expect(held).toBeInstanceOf(DatabaseError)
    expect(held.cause).toMatchObject({ errno: 1969 })
    await storage.close()
    await user.drop()
    await db.destroy()
    await drop()
  })
})

test('nor does a transaction_timeout, which PostgreSQL has had since 17', async () => {
  const server = await ownPostgres()
  const address = { dialect: 'postgres', connectionString: server.url, schema: 'public' } as const
  const db = hostDatabaseAt(address)
  await migrateTo(db, 'postgres', {}, FIRST)
  const letGo = await holdUp(address)
  const limited = changedAddress(address, url =>
    url.searchParams.set('options', '-c transaction_timeout=1000'),
  )
  const storage = storageAt(limited)
  const done = storage.migrate()
  done.catch(() => {})
  const builder = await heldUp(address)
  await sleep(1500)
  expect(await heldUp(address)).toBe(builder)
  await letGo()
  await done
  await storage.close()
  await db.destroy()
  await server.remove()
})

test('nor does a server that copies whatever it alters rewrite a table', async () => {
  const server = await ownMariadb()
  const address = { dialect: 'mysql', uri: server.url } as const
  const db = hostDatabaseAt(address)
  await migrateTo(db, 'mysql', {}, '0009-settlements')
  await sql`set global alter_algorithm = 'COPY'`.execute(db)
  /** A table that is written anew has another. */
  const id = async () => {
    const { rows } = await sql<{
      id: unknown
    }>`select table_id as id from information_schema.innodb_sys_tables
      where name = concat(database(), '/tillkit_deliveries')`.execute(db)
    return rows
  }
  const before = await id()
  expect(before).toHaveLength(1)
  const storage = storageAt(address)
  await storage.migrate()
  expect(await id()).toEqual(before)
  await storage.close()
  await db.destroy()
  await server.remove()
})
