import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type HostTables, hostDatabaseAt } from '../engines/address.ts'
import { inAShop } from '../engines/in-a-shop.ts'
import { overEveryServer } from '../engines/index.ts'
import { attempt, merchantId, NOW } from '../faults/shop.ts'
import { found } from './checked.ts'

/** MariaDB looks at its transactions anew only where nobody has read the list for a tenth of a second. */
const SELDOM = { timeout: 60_000, interval: 300 }

overEveryServer(({ create }) => {
  const shop = inAShop(create, beforeAll)
  let db: Kysely<HostTables>

  beforeAll(() => {
    db = hostDatabaseAt(shop.database.address)
  })

  afterAll(() => db.destroy())

  /** Other tests may have transactions open on this server. */
  const ours = async (who: string) =>
    (await found(shop.storage, 'locks', { longTransactionSeconds: 0 })).filter(says =>
      says.includes(`(${who}`),
    )

  test('whatever other sessions are asked for, theirs are found', async () => {
    const sleep = shop.database.address.dialect === 'postgres' ? 'pg_sleep' : 'sleep'
    const asked = sql`select ${sql.raw(sleep)}(2), ${sql.lit('𝄞')}`.execute(db)
    await new Promise(resolve => setTimeout(resolve, 500))
    const locks = await found(shop.storage, 'locks')
    await asked
    expect(locks).not.toEqual([])
    expect(locks.filter(says => says.startsWith('note: '))).toEqual([])
  })

  test('a transaction that is left open is found: who it is, what it holds, and who waits for it', async () => {
    const isPostgres = shop.database.address.dialect === 'postgres'
    const { promise: held, resolve: hold } = Promise.withResolvers<string>()
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    onTestFinished(() => end())
    const holder = db.transaction().execute(async trx => {
      const { rows } = await sql<{ id: number }>`
        select ${sql.raw(isPostgres ? 'pg_backend_pid()' : 'connection_id()')} as id`.execute(trx)
      // As one text: beside a parameter PostgreSQL keeps a snapshot, for which whoever builds an index for another test would wait.
      const ledger = sql`select * from tillkit_ledgers where merchant_id = ${sql.lit(merchantId)} for update`
      await ledger.execute(trx)
      const { id } = rows[0] ?? {}
      hold(isPostgres ? `session ${id},` : `thread ${id},`)
      await over
    })
    const who = await held
    await expect
      .poll(() => ours(who), SELDOM)
      .toEqual([expect.stringMatching(/^warning: A transaction has been open for \d+ s \(.*, and holds /)])
    const started = shop.storage.payments.start(attempt(), NOW)
    started.catch(() => {})
    await expect
      .poll(() => ours(who), SELDOM)
      .toEqual([
        expect.stringMatching(
          /^problem: A transaction has been open for \d+ s .*: 1 session waits for it\.$/,
        ),
      ])
    if (isPostgres) expect((await ours(who))[0]).toContain('holds tillkit_ledgers')
    end()
    await holder
    expect((await started).payment.id).toBe(1)
  })
})
