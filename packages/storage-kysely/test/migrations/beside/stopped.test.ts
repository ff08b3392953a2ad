import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { migrate } from '../../../src/index.ts'
import { migrateTo } from '../../../src/migrations/migrate.ts'
import { hostDatabaseAt, storageAt } from '../../engines/address.ts'
import { overEveryServer, overPostgres } from '../../engines/index.ts'
import { openSession } from '../../faults/session.ts'
import { interceptedAt } from '../intercepted.ts'
import { openFirstShop } from '../versions/first-version.ts'

const MINUTES = 60_000

overPostgres(engine => {
  test('a process that stops while it holds a table keeps nobody from it for long, and goes on from there', {
    timeout: 5 * MINUTES,
  }, async () => {
    const { address, drop } = await engine.create({ apart: true })
    const before = hostDatabaseAt(address)
    await migrateTo(before, 'postgres', {}, '0001-initial')
    let goOn = () => {}
    const goesOn = new Promise<void>(resolve => {
      goOn = resolve
    })
    let stop = () => {}
    const stops = new Promise<void>(resolve => {
      stop = resolve
    })
    const { db } = interceptedAt(address, async (statement, send) => {
      const result = await send()
      if (!/^alter table .*ledgers" add column/.test(statement)) return result
      stop()
      await goesOn
      return result
    })
    const stopped = migrate(db, 'postgres')
    await stops
    await openFirstShop(address)
    const storage = storageAt(address)
    await storage.migrate()
    goOn()
    await stopped
    await storage.close()
    await Promise.all([db, before].map(one => one.destroy()))
    await drop()
  })
})

overEveryServer(({ name, create }) => {
  test('a process that stops while it counts a settlement again is given as long as any', async () => {
    const { address, drop } = await create()
    const storage = storageAt(address)
    await storage.migrate()
    const session = await openSession(address)
    const [settlements, limits] = [session.table('settlements'), session.table('limits')]
    const setting = { PostgreSQL: `current_setting('idle_in_transaction_session_timeout')` }[name]
    const db = hostDatabaseAt(address)
    const run = (statement: string) => sql.raw(statement).execute(db)
    await run(`create table ${limits} (seconds varchar(40))`)
    if (address.dialect === 'postgres') {
      await run(`create function ${session.table('limit')}() returns trigger language plpgsql as
        $$ begin insert into ${limits} values (${setting}); return new; end $$`)
      await run(`create trigger counted before update on ${settlements}
        for each row execute function ${session.table('limit')}()`)
    } else {
      const variable = name === 'MariaDB' ? '@@idle_transaction_timeout' : '@@wait_timeout'
      await run(`create trigger counted before update on ${settlements}
        for each row insert into ${limits} values (concat(${variable}, 's'))`)
    }
    await run(`insert into ${settlements} values ('shop', 'S', 3, 300, 0)`)
    await run(`delete from ${session.table('migrations')} where name = '0009-settlements-correction'`)
    await storage.migrate()
    const { rows } = await sql.raw<{ seconds: string }>(`select seconds from ${limits}`).execute(db)
    expect(rows.map(({ seconds }) => seconds)).toEqual([name === 'PostgreSQL' ? '1min' : '60s'])
    await session.close()
    await storage.close()
    await db.destroy()
    await drop()
  })
})
