import type { Started } from '@tillkit/storage'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DatabaseStorage } from '../src/index.ts'
import { type HostTables, hostDatabaseAt, storageAt } from './engines/address.ts'
import type { TestDatabase } from './engines/engine.ts'
import { overEveryServer } from './engines/index.ts'
import { attempt, merchantId, NOW, openShop } from './faults/shop.ts'
import { found } from './inspection/checked.ts'

/** So many sessions wait for it: on PostgreSQL whoever builds an index for another test as well. */
const waitingFor = (says: string) => Number(/: (\d+) sessions? waits? for it\.$/.exec(says)?.[1] ?? 0)

/** MariaDB looks at its transactions anew only where nobody has read the list for a tenth of a second. */
const SELDOM = { timeout: 60_000, interval: 300 }

overEveryServer(({ create }) => {
  let database: TestDatabase
  let storage: DatabaseStorage
  let db: Kysely<HostTables>

  beforeAll(async () => {
    database = await create()
    storage = storageAt(database.address)
    await storage.migrate()
    db = hostDatabaseAt(database.address)
    await openShop(storage)
  })

  afterAll(async () => {
    await db.destroy()
    await storage.close()
    await database.drop()
  })

  /** Other tests may have transactions open on this server. */
  const ours = async (who: string) =>
    (await found(storage, 'locks', { longTransactionSeconds: 0 })).filter(says => says.includes(`(${who}`))

  test('whatever other sessions are asked for, theirs are found', async () => {
    const sleep = database.address.dialect === 'postgres' ? 'pg_sleep' : 'sleep'
    const asked = sql`select ${sql.raw(sleep)}(2), ${sql.lit('𝄞')}`.execute(db)
    await new Promise(resolve => setTimeout(resolve, 500))
    const locks = await found(storage, 'locks')
    await asked
    expect(locks).not.toEqual([])
    expect(locks.filter(says => says.startsWith('note: '))).toEqual([])
  })

  test('a transaction that is left open is found: who it is, what it holds, and who waits for it', async () => {
    const isPostgres = database.address.dialect === 'postgres'
    const { promise: held, resolve: hold } = Promise.withResolvers<string>()
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    const holder = db.transaction().execute(async trx => {
      const { rows } = await sql<{ id: number }>`
        select ${sql.raw(isPostgres ? 'pg_backend_pid()' : 'connection_id()')} as id`.execute(trx)
      await sql`select * from tillkit_ledgers where merchant_id = ${merchantId} for update`.execute(trx)
      const { id } = rows[0] ?? {}
      hold(isPostgres ? `session ${id},` : `thread ${id},`)
      await over
    })
    const who = await held
    let started: Promise<Started> | undefined
    try {
      await expect.poll(() => ours(who), SELDOM).toHaveLength(1)
      const [alone = ''] = await ours(who)
      expect(alone).toMatch(/^(warning|problem): A transaction has been open for \d+ s \(.*, and holds /)
      expect(alone.startsWith('problem')).toBe(waitingFor(alone) > 0)
      started = storage.payments.start(attempt(), NOW)
      started.catch(() => {})
      await expect
        .poll(async () => waitingFor((await ours(who))[0] ?? ''), SELDOM)
        .toBeGreaterThan(waitingFor(alone))
      const [waitedFor] = await ours(who)
      expect(waitedFor).toMatch(
        /^problem: A transaction has been open for \d+ s .*: \d+ sessions? waits? for it\.$/,
      )
      if (isPostgres) expect(waitedFor).toContain('holds tillkit_ledgers')
    } finally {
      end()
      await holder
    }
    expect((await started)?.payment.id).toBe(1)
  })
})
