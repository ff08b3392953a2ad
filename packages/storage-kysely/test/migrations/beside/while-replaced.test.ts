import { createTill, type Till } from '@tillkit/till'
import { sql } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import type { DatabaseStorage, MigrateOptions } from '../../../src/index.ts'
import { migrateTo } from '../../../src/migrations/migrate.ts'
import { correctionOf, MIGRATIONS } from '../../../src/migrations/migrations.ts'
import { placeOf, storageAt } from '../../engines/address.ts'
import { inADatabase } from '../../engines/in-a-database.ts'
import { overEveryEngine } from '../../engines/index.ts'

const BEFORE = '0008-payment-sums'
const SETTLEMENTS = '0009-settlements'
const CORRECTION = correctionOf(SETTLEMENTS)
const REFERENCE = 'BANK-0412'
/** Longer than processes are thought to be replaced for. */
const A_DAY_AND_MORE = 25 * 60 * 60 * 1000

overEveryEngine(({ create }) => {
  const host = inADatabase(create)

  afterEach(() => vi.useRealTimers())

  /** This process's clock is that far off from now on; the database's is not. */
  const clockOff = (milliseconds: number) => {
    vi.useRealTimers()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds })
  }

  const versionBefore = () => migrateTo(host.db, host.address.dialect, placeOf(host.address), BEFORE)

  /** A process of this version starts. */
  const starts = async (options?: MigrateOptions): Promise<DatabaseStorage> => {
    const storage = storageAt(host.address)
    await storage.migrate(options)
    return storage
  }

  const migrated = async (options?: MigrateOptions) => (await starts(options)).close()

  const notes = async () => {
    const { rows } = await sql<{ name: string }>`select name from tillkit_migrations order by name`.execute(
      host.db,
    )
    return rows.map(({ name }) => name)
  }

  const openShop = async (till: Till) => {
    await till.merchants.create({ id: 'shop', name: 'Shop' })
    await till.scanCodes.create('shop', { code: 'counter' })
    for (const totalAmount of [1, 20, 300])
      await till.payments.complete(await till.payments.start({ scanCode: 'counter', totalAmount }))
    await till.payments.settle('shop', { statementReference: REFERENCE, paymentIds: [1] })
  }

  /** A process of the version before settles. */
  const settleBefore = (id: number) =>
    sql`update tillkit_payments set statement_reference = ${REFERENCE} where merchant_id = 'shop' and id = ${id}`.execute(
      host.db,
    )

  test.each<MigrateOptions | undefined>([undefined, { contract: true }])(
    'each process that starts migrates: what the last of the old ones settles is counted by the next call with %o',
    async last => {
      await versionBefore()
      const storages = [await starts()]
      const till = createTill({ storage: storages[0] as DatabaseStorage })
      await openShop(till)
      await settleBefore(2)
      storages.push(await starts(), await starts())
      await settleBefore(3)
      await migrated(last)
      expect(await till.settlements.get(REFERENCE)).toMatchObject({ count: 3, amount: 321 })
      await till.close()
      for (const storage of storages) await storage.close()
    },
  )

  test('a new database has all that there is to be noted from the first call on', async () => {
    await migrated()
    expect(await notes()).toEqual([...Object.keys(MIGRATIONS), CORRECTION].sort())
  })

  test('who says that no process of the version before runs is believed, unless it makes the tables itself', async () => {
    await versionBefore()
    await migrated({ contract: true })
    expect(await notes()).not.toContain(CORRECTION)
    await migrated({ contract: true })
    expect(await notes()).toContain(CORRECTION)
  })

  test('who does not say so counts again at each call, until the tables have been there for a day', async () => {
    await versionBefore()
    await migrated()
    await migrated()
    expect(await notes()).not.toContain(CORRECTION)
    const earlier = new Date(Date.now() - A_DAY_AND_MORE).toISOString()
    await sql`update tillkit_migrations set timestamp = ${earlier} where name = ${SETTLEMENTS}`.execute(
      host.db,
    )
    await migrated({ contract: false })
    expect(await notes()).not.toContain(CORRECTION)
    await migrated()
    expect(await notes()).toContain(CORRECTION)
  })

  test.each([
    ['ahead in a process that comes later', 0, A_DAY_AND_MORE],
    ['behind in the one that makes the tables', -A_DAY_AND_MORE, 0],
  ])('a clock that is a day %s does not make them a day old', async (_, first, later) => {
    await versionBefore()
    clockOff(first)
    await migrated()
    clockOff(later)
    await migrated()
    expect(await notes()).not.toContain(CORRECTION)
  })
})
