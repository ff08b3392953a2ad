import { spawnSync } from 'node:child_process'
import { type OwnServer, ownPgbouncer, ownPostgres, ownStandby } from '@tillkit/servers'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CommitUnknownError, DatabaseError, type DatabaseStorage } from '../../src/index.ts'
import { type PostgresConnection, postgresStorage } from '../../src/postgres/index.ts'
import { PATIENT } from '../engines/address.ts'
import { attempt, merchantId, NOW, openShop } from '../faults/shop.ts'
import { startedOr } from '../inspection/servers.ts'

/** Above the wait for a lock, so that only the standby is waited for when the call ends. */
const HASTY = { lockTimeoutSeconds: 0.5, writeTimeoutSeconds: 3 }

const INSTALLED = spawnSync('pgbouncer', ['--version']).error === undefined

const { server, why } = await startedOr(() => ownPostgres())

/** How a storage may reach the server. */
interface Way {
  name: string
  by(url: string, pool: pg.Pool): PostgresConnection
  hosted?: { pipeline: boolean }
  pooled?: boolean
}

const unprepared: Way['by'] = connectionString => ({ connectionString, preparedStatements: false })

const WAYS: Way[] = [
  { name: 'a pool of its own', by: connectionString => ({ connectionString }) },
  { name: 'one without prepared statements', by: unprepared },
  { name: 'a hosted pool', by: (_, pool) => ({ pool }) },
  { name: 'one that sends ahead', by: (_, pool) => ({ pool }), hosted: { pipeline: true } },
  { name: 'PgBouncer', by: unprepared, pooled: true },
]

describe.skipIf(!server)(`a server whose synchronous standby is gone${why}`, () => {
  const primary = server as OwnServer
  let standby: OwnServer
  let pooler: OwnServer | undefined
  let watcher: pg.Client

  beforeAll(async () => {
    standby = await ownStandby(primary, true)
    const owner = postgresStorage({ connectionString: primary.url, ...PATIENT })
    await owner.migrate()
    await openShop(owner)
    await owner.close()
    if (INSTALLED) pooler = await ownPgbouncer({ url: primary.url })
    watcher = new pg.Client({ connectionString: primary.url })
    await watcher.connect()
  })

  afterAll(async () => {
    await watcher?.end()
    await pooler?.remove()
    await standby?.remove()
    await primary.remove()
  })

  /** Does `so` with each session that waits for the standby, as soon as there is one. */
  async function eachWaiting(so: 'pg_cancel_backend' | 'pg_terminate_backend'): Promise<void> {
    const statement = `select ${so}(pid) from pg_stat_activity where wait_event = 'SyncRep'`
    while ((await watcher.query(statement)).rowCount === 0) {}
  }

  describe.each(WAYS.filter(({ pooled }) => INSTALLED || !pooled))(
    'by way of $name',
    ({ name, by, hosted, pooled }) => {
      let pool: pg.Pool
      let storages: DatabaseStorage[]
      let hasty: DatabaseStorage
      let patient: DatabaseStorage
      let first: number

      beforeEach(async () => {
        const url = (pooled ? pooler : primary)?.url ?? ''
        pool = new pg.Pool({ connectionString: url, ...hosted } as pg.PoolConfig)
        hasty = postgresStorage({ ...by(url, pool), ...HASTY })
        patient = postgresStorage({ ...by(url, pool), ...PATIENT })
        storages = [hasty, patient]
        first = (await patient.payments.start(attempt(), NOW)).payment.id
        while (!(await hasty.payments.get({ merchantId, id: first }).catch(() => null))) {}
        await standby.stop()
      })

      afterEach(async () => {
        await standby.start()
        for (const storage of storages) await storage.close()
        await pool.end()
      })

      test('no write is acknowledged: it ends by its time limit, and may have taken place', async () => {
        const strict = attempt({ strict: true, merchantReference: `order ${first}` })
        for (const write of [
          () => hasty.payments.resolve({ merchantId, id: first }, { status: 'completed' }, NOW),
          () => hasty.payments.start(attempt({ attemptKey: `key ${first}` }), NOW),
        ]) {
          await expect(write()).rejects.toBeInstanceOf(CommitUnknownError)
        }
        for (const payment of [attempt({ attemptKey: `key ${first}` }), strict]) {
          await expect(hasty.payments.start(payment, NOW)).rejects.toBeInstanceOf(DatabaseError)
        }
        expect(await patient.payments.get({ merchantId, id: first })).toMatchObject({ status: 'pending' })
      })

      test.each(['pg_cancel_backend', 'pg_terminate_backend'] as const)(
        'nor is one whose wait somebody ends by %s',
        async so => {
          const strict = attempt({ strict: true, merchantReference: `order ${first}` })
          const said: string[] = []
          for (const write of [
            () => patient.payments.start(attempt({ attemptKey: `key ${first}` }), NOW),
            () => patient.payments.start(strict, NOW),
            () => patient.payments.resolve({ merchantId, id: first }, { status: 'completed' }, NOW),
            () => patient.transaction(inside => inside.payments.start(attempt(), NOW)),
          ]) {
            const refused = write().catch(error => error)
            await eachWaiting(so)
            expect(await refused).toBeInstanceOf(CommitUnknownError)
            said.push((await refused).message)
          }
          for (const message of said.slice(0, -1)) {
            expect(message).toContain('the wait of a commit for the synchronous standby was canceled')
          }
        },
      )

      test.runIf(name === 'a hosted pool')(
        'what the host committed so at a session is said of no call of Tillkit’s',
        async () => {
          const single = new pg.Pool({ connectionString: primary.url, max: 1 })
          const storage = postgresStorage({ pool: single, ...PATIENT })
          const ofShop = { merchantId, id: first }
          expect(await storage.payments.get(ofShop)).toMatchObject({ status: 'pending' })
          const written = single.query(`create table "of the host ${first}" (id int)`)
          await eachWaiting('pg_cancel_backend')
          await written
          expect(await storage.payments.get(ofShop)).toMatchObject({ status: 'pending' })
          await storage.close()
          await single.end()
        },
      )
    },
  )
})
