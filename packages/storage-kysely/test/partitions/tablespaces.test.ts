import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ownMariadb, ownPostgres } from '@tillkit/servers'
import type { Storage } from '@tillkit/storage'
import { createTill } from '@tillkit/till'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { mysqlStorage } from '../../src/mysql/index.ts'
import { postgresStorage } from '../../src/postgres/index.ts'
import { PATIENT } from '../engines/address.ts'
import { overMariadb } from '../engines/index.ts'

const PARTITIONS = 4
const MINUTES = 60_000

/** Has eight shops take payments while `work` is done, which may wait until each has taken one more; none is lost, and none refused. */
async function whileTaking(
  storage: Storage,
  work: (oneMoreEach: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const till = createTill({ storage, logger: false })
  const shops = Array.from({ length: 8 }, (_, n) => `shop-${n}`)
  for (const id of shops) {
    await till.merchants.create({ id, name: 'Shop' })
    await till.scanCodes.create(id, { code: id })
  }
  let isOver = false
  const taken = new Map<string, number>()
  const keepTaking = async (scanCode: string) => {
    while (!isOver) {
      const payment = await till.payments.start({
        scanCode,
        totalAmount: 1250,
        attemptKey: `${Math.random()}`,
      })
      await till.payments.complete(payment)
      taken.set(scanCode, payment.id)
    }
  }
  const shopsAtWork = Promise.allSettled(shops.map(keepTaking))
  await work(async () => {
    const before = new Map(taken)
    while (shops.some(shop => (taken.get(shop) ?? 0) <= (before.get(shop) ?? 0)))
      await new Promise(setImmediate)
  }).finally(() => {
    isOver = true
  })
  expect(await shopsAtWork).toEqual(shops.map(() => ({ status: 'fulfilled', value: undefined })))
  for (const shop of shops) {
    const { total } = await till.payments.list(shop, { filter: { status: ['completed'] } })
    expect(total).toBe(taken.get(shop))
  }
}

test('on PostgreSQL a partition and its indexes are moved to another tablespace and back while payments are taken', {
  timeout: 5 * MINUTES,
}, async () => {
  const server = await ownPostgres({ settings: { allow_in_place_tablespaces: 'on' } })
  const storage = postgresStorage({ connectionString: server.url, ...PATIENT })
  const client = new pg.Client(server.url)
  onTestFinished(async () => {
    await client.end()
    await storage.close()
    await server.remove()
  })
  await client.connect()
  await storage.migrate({ partitions: PARTITIONS })
  await client.query(`create tablespace cold location ''`)

  const placed = async () => {
    const { rows } = await client.query(
      `select count(*)::int as total from pg_class join pg_tablespace on pg_tablespace.oid = reltablespace
       where spcname = 'cold' and (relname = 'tillkit_payments_p0' or relname like 'tillkit_payments_p0_%')`,
    )
    return rows[0].total
  }
  const moveTo = async (space: string) => {
    // Holds nobody up: the indexes are built beside the old ones.
    await client.query(`reindex (concurrently, tablespace ${space}) table tillkit_payments_p0`)
    // Whoever writes to or reads this partition waits until it is copied, and so does who has a plan over all of them.
    await client.query(`alter table tillkit_payments_p0 set tablespace ${space}`)
  }
  await whileTaking(storage, async oneMoreEach => {
    await oneMoreEach()
    await moveTo('cold')
    expect(await placed()).toBeGreaterThan(3)
    await oneMoreEach()
    await moveTo('pg_default')
    expect(await placed()).toBe(0)
    await oneMoreEach()
  })
})

overMariadb(() => {
  test('a partition is moved to another folder and back while payments are taken', {
    timeout: 5 * MINUTES,
  }, async () => {
    const server = await ownMariadb()
    const cold = await mkdtemp(join(tmpdir(), 'tillkit-cold-'))
    const storage = mysqlStorage({ uri: server.url, ...PATIENT })
    const connection = await mysql.createConnection(server.url)
    onTestFinished(async () => {
      await connection.end()
      await storage.close()
      await server.remove()
      await rm(cold, { recursive: true })
    })
    await storage.migrate({ partitions: PARTITIONS })

    const rowsOf = async (statement: string) => (await connection.query<mysql.RowDataPacket[]>(statement))[0]
    const [first] = await rowsOf(`select group_concat(column_name) as kept from information_schema.columns
    where table_schema = database() and table_name = 'tillkit_payments' and is_generated = 'NEVER'`)
    const placed = async () =>
      (await readdir(cold, { recursive: true })).filter(name => name.endsWith('.ibd'))
    const moveTo = async (where: string) => {
      // Where a table's file is is said when it is made, and the exchange of a partition moves no file.
      await rowsOf('create table moving like tillkit_payments')
      await rowsOf('alter table moving remove partitioning')
      const [made] = await rowsOf('show create table moving')
      await rowsOf('drop table moving')
      await rowsOf(`${made?.['Create Table']}${where}`)
      // Whoever writes to or reads the table, of any merchant, waits until it is copied.
      await rowsOf('lock tables tillkit_payments write, moving write')
      await rowsOf(
        `insert into moving (${first?.kept}) select ${first?.kept} from tillkit_payments partition (p0)`,
      )
      await rowsOf('alter table tillkit_payments exchange partition p0 with table moving')
      await rowsOf('unlock tables')
      await rowsOf('drop table moving')
    }
    await whileTaking(storage, async oneMoreEach => {
      await oneMoreEach()
      await moveTo(` data directory = '${cold}'`)
      expect(await placed()).toEqual([expect.stringMatching(/tillkit_payments#P#p0\.ibd$/)])
      await oneMoreEach()
      await moveTo('')
      expect(await placed()).toEqual([])
      await oneMoreEach()
    })
  })
})
