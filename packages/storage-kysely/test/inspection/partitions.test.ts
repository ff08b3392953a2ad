import { ownPostgres } from '@tillkit/servers'
import { sql } from 'kysely'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { DatabaseError } from '../../src/index.ts'
import { postgresStorage } from '../../src/postgres/index.ts'
import { hostDatabaseAt, PATIENT, storageAt } from '../engines/address.ts'
import { overPostgres } from '../engines/index.ts'
import { found } from './checked.ts'
import { startedOr } from './servers.ts'

overPostgres(({ create }) => {
  test('a partition that is gone, or has been cut in two, of which one half is gone', async () => {
    const { address, drop } = await create()
    const storage = storageAt(address)
    const db = hostDatabaseAt(address)
    onTestFinished(async () => {
      await db.destroy()
      await storage.close()
      await drop()
    })
    await storage.migrate({ partitions: 3 })
    const run = (statement: string) => sql.raw(statement).execute(db)
    const half = (name: string, remainder: number) =>
      run(
        `create table ${name} partition of tillkit_deliveries for values with (modulus 6, remainder ${remainder})`,
      )
    const lacks = (table: string) => expect.stringContaining(`problem: The table ${table} lacks a partition`)

    expect(await found(storage, 'tables')).toEqual([expect.stringContaining('ok: All 13 tables')])
    await run('alter table tillkit_payments detach partition tillkit_payments_p1')
    expect(await found(storage, 'tables')).toEqual([lacks('tillkit_payments')])
    await run(
      'alter table tillkit_payments attach partition tillkit_payments_p1 for values with (modulus 3, remainder 1)',
    )
    await run('drop table tillkit_deliveries_p2')
    await half('one_half', 2)
    expect(await found(storage, 'tables')).toEqual([lacks('tillkit_deliveries')])
    await half('other_half', 5)
    expect(await found(storage, 'tables')).toEqual([expect.stringContaining('ok: All 13 tables')])
    for (let n = 0; n < 3; n++) await run(`drop table tillkit_cash_ups_p${n}`)
    expect(await found(storage, 'tables')).toEqual([lacks('tillkit_cash_ups')])
  })
})

const few = await startedOr(() =>
  ownPostgres({ settings: { max_connections: '20', max_locks_per_transaction: '20' } }),
)
afterAll(() => few.server?.remove())

describe.skipIf(!few.server)(`a server with room for few locks${few.why}`, () => {
  const storageIn = (schema: string) => {
    const storage = postgresStorage({ connectionString: few.server?.url ?? '', ...PATIENT }, { schema })
    onTestFinished(() => storage.close())
    return storage
  }

  test('is said to have too little for so many partitions, and enough for fewer', async () => {
    const [many, none] = [storageIn('many'), storageIn('none')]
    await many.migrate({ partitions: 8 })
    await none.migrate()
    expect(await found(many, 'locks')).toContainEqual(
      expect.stringContaining(
        'warning: The server has room for 400 locks, and who looks for due webhooks takes about 216 in 8 partitions',
      ),
    )
    expect(await found(none, 'locks')).toEqual([expect.stringMatching(/^ok: /)])
  })

  test('refuses to make more than it has room for, and the refusal names the setting', async () => {
    const refused = await storageIn('more')
      .migrate({ partitions: 200 })
      .catch(error => error)
    expect(refused).toBeInstanceOf(DatabaseError)
    expect(refused.message).toContain('max_locks_per_transaction')
  })
})
