import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { migrate } from '../../../src/index.ts'
import { migrateTo } from '../../../src/migrations/migrate.ts'
import { hostDatabaseAt, storageAt } from '../../engines/address.ts'
import { overEveryServer, overPostgres } from '../../engines/index.ts'
import { terminate } from '../../faults/session.ts'
import { type Intercept, interceptedAt } from '../intercepted.ts'
import { schemaOf } from '../versions/schema-of.ts'
import { heldUp, holdUp } from './held.ts'

const MINUTES = 60_000

overEveryServer(({ create }) => {
  test.each([undefined, 2])(
    'a migration whose session is ended while it builds an index goes on from there, in %s partitions',
    {
      timeout: 5 * MINUTES,
    },
    async partitions => {
      const { address, drop } = await create({ apart: true })
      const before = hostDatabaseAt(address)
      await migrateTo(before, address.dialect, { partitions }, '0001-initial')
      const letGo = await holdUp(address)
      const storage = storageAt(address)
      const migrated = storage.migrate()
      migrated.catch(() => {})
      await terminate(address, await heldUp(address))
      await letGo()
      await migrated
      expect(await storage.migrated?.()).toBe(true)
      expect(await storage.migrationsLeft()).toMatchObject([{ step: 'correct' }])
      const broken = (await schemaOf(before, address)).filter(line => /^invalid/.test(line))
      expect(broken).toEqual([])
      await before.destroy()
      await storage.close()
      await drop()
    },
  )
})

overPostgres(({ create }) => {
  test('a database that cannot be reached for a moment is asked again, whatever is asked before anything is made', async () => {
    const { address, drop } = await create()
    let isMaking = false
    const asked = new Set<string>()
    const { db } = interceptedAt(address, (statement, send) => {
      isMaking ||= /^(begin|start transaction)/i.test(statement)
      if (isMaking || asked.has(statement)) return send()
      asked.add(statement)
      return Promise.reject(new Error('Connection terminated unexpectedly'))
    })
    for (let times = 0; times < 2; times++) {
      isMaking = false
      asked.clear()
      await migrate(db, 'postgres')
      expect(asked.size).toBeGreaterThan(3)
    }
    await db.destroy()
    await drop()
  })

  test('nor does a migration end, or the process, where nobody can be asked how far an index has come', {
    timeout: 5 * MINUTES,
  }, async () => {
    const { address, drop } = await create({ apart: true })
    const before = hostDatabaseAt(address)
    await migrateTo(before, 'postgres', {}, '0008-payment-sums')
    await before.destroy()
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    const letGo = await holdUp(address)
    let asked = 0
    const { db } = interceptedAt(address, (statement, send) => {
      if (!/from pg_stat_progress_create_index as p/.test(statement)) return send()
      asked++
      return Promise.reject(new Error('Connection terminated unexpectedly'))
    })
    const migrated = migrate(db, 'postgres')
    migrated.catch(() => {})
    while (asked < 2 && unhandled.mock.calls.length === 0) await sleep(20)
    await letGo()
    await migrated
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
    await db.destroy()
    await drop()
  })

  test('an index whose build is ended each time is given up, and not built for ever', {
    timeout: 5 * MINUTES,
  }, async () => {
    const { address, drop } = await create({ apart: true })
    const before = hostDatabaseAt(address)
    await migrateTo(before, 'postgres', {}, '0008-payment-sums')
    await before.destroy()
    const letGo = await holdUp(address)
    let begun = 0
    const intercept: Intercept = (statement, send) => {
      if (!/^create index concurrently/i.test(statement)) return send()
      return begun++ < 40 ? send() : Promise.reject(new Error('it is built for ever'))
    }
    const { db } = interceptedAt(address, intercept, { lock_timeout: 10 })
    await expect(migrate(db, 'postgres')).rejects.toThrow()
    expect(begun).toBeLessThan(40)
    await letGo()
    await db.destroy()
    await drop()
  })
})
