import { spawnSync } from 'node:child_process'
import { ownPgbouncer } from '@tillkit/servers'
import { expect, test } from 'vitest'
import { DatabaseError } from '../../src/index.ts'
import { postgresStorage } from '../../src/postgres/index.ts'
import { PATIENT } from '../engines/address.ts'
import { overPostgres } from '../engines/index.ts'
import { openSession } from '../faults/session.ts'
import { merchantId, openShop } from '../faults/shop.ts'

const INSTALLED = spawnSync('pgbouncer', ['--version']).error === undefined

/** So short that reads are given up while the database is still at them. */
const HASTY = { lockTimeoutSeconds: 10, readTimeoutSeconds: 0.2 }

/** Where sessions are others' too, only the database or the role can say that they end with their client. */
overPostgres(({ create }) => {
  test.skipIf(!INSTALLED)(
    'behind PgBouncer no session stays at a read that was given up, where the database has a client_connection_check_interval',
    async () => {
      const { address, drop } = await create({ apart: true })
      if (address.dialect !== 'postgres') throw new Error('not PostgreSQL')
      const { connectionString: url, schema } = address
      const [holder, watch] = [await openSession(address), await openSession(address)]
      const database = new URL(url).pathname.slice(1)
      await watch.run(`alter database "${database}" set client_connection_check_interval = 1000`)
      const pooler = await ownPgbouncer({ url, settings: { default_pool_size: '10' } })
      const ways = { connectionString: pooler.url, preparedStatements: false }
      const owner = postgresStorage({ ...ways, ...PATIENT }, { schema })
      await owner.migrate()
      await openShop(owner)
      await owner.close()

      const storage = postgresStorage({ ...ways, ...HASTY }, { schema })
      // A busy machine may take longer than that to make a connection.
      while (!(await storage.merchants.get(merchantId).catch(() => null))) {}
      await holder.run('begin')
      await holder.run(`lock table ${holder.table('merchants')}`)
      const reads = () =>
        Promise.allSettled(Array.from({ length: 10 }, () => storage.merchants.get(merchantId)))
      for (const read of [...(await reads()), ...(await reads())])
        expect(read).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseError) })
      const others = `select pid from pg_stat_activity where datname = current_database() and state = 'active'
        and pid <> pg_backend_pid() and backend_type = 'client backend'`
      while ((await watch.run(others)).length > 0) {}
      await storage.close()
      await pooler.remove()
      for (const session of [holder, watch]) await session.close()
      await drop()
    },
  )
})
