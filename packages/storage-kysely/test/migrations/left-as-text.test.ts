import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, MysqlDialect, sql } from 'kysely'
import mysql from 'mysql2'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { migrate } from '../../src/index.ts'
import { migrateTo } from '../../src/migrations/migrate.ts'
import { hostDatabaseAt } from '../engines/address.ts'
import { overMysql, overPostgres } from '../engines/index.ts'
import { openSession } from '../faults/session.ts'
import { interceptedAt } from './intercepted.ts'
import { schemaOf } from './versions/schema-of.ts'

overMysql(({ create }) => {
  test('a pool of the host’s that leaves numbers as text migrates like any', async () => {
    const { address, drop } = await create()
    const pool = mysql.createPool({
      uri: 'uri' in address ? address.uri : '',
      typeCast: (field: { string(): string | null }) => field.string(),
    })
    const db = new Kysely<unknown>({ dialect: new MysqlDialect({ pool }) })
    await migrate(db, 'mysql')
    expect((await sql`select name from tillkit_migrations`.execute(db)).rows).not.toEqual([])
    await db.destroy()
    await drop()
  })
})

overPostgres(engine => {
  test('one that leaves flags as text waits for its turn, and mends', { timeout: 120_000 }, async () => {
    const { address, drop } = await engine.create({ apart: true })
    if (address.dialect !== 'postgres') throw new Error('not PostgreSQL')
    const before = hostDatabaseAt(address)
    await migrateTo(before, 'postgres', { partitions: 2 }, '0001-initial')
    const host = await openSession(address)
    const asked = { turn: 0, busy: 0 }
    const types = { getTypeParser: () => (text: string) => text } as unknown as pg.CustomTypesConfig
    const { db } = interceptedAt(
      address,
      (statement, send) => {
        if (/pg_try_advisory_xact_lock/.test(statement)) asked.turn++
        if (/ as busy/.test(statement)) asked.busy++
        return send()
      },
      { types },
    )
    let isOver = false
    const isAsked = async (what: keyof typeof asked) => {
      asked[what] = 0
      while (asked[what] < 2 && !isOver) await sleep(10)
      return !isOver
    }
    const table = host.table('cash_ups')
    await host.run('select pg_advisory_lock(3853314791062309107)')
    await host.run('begin')
    await host.run(`lock table ${table} in share update exclusive mode`)
    const done = migrate(db, 'postgres').finally(() => {
      isOver = true
    })
    done.catch(() => {})
    expect(await isAsked('turn')).toBe(true)
    await host.run('select pg_advisory_unlock_all()')
    expect(await isAsked('busy')).toBe(true)
    await host.run('commit')
    await done
    const whole = await schemaOf(before, address)
    await host.run(`drop index "${address.schema}".tillkit_deliveries_delivered`)
    await migrate(db, 'postgres')
    expect(await schemaOf(before, address)).toEqual(whole)
    await host.close()
    await before.destroy()
    await db.destroy()
    await drop()
  })
})
