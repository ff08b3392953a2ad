import { type Kysely, sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DatabaseError } from '../../src/index.ts'
import { hostDatabaseAt, storageAt } from '../engines/address.ts'
import { conformanceIn } from '../engines/conformance-in.ts'
import type { Engine } from '../engines/engine.ts'
import { overEveryEngine, overMariadb } from '../engines/index.ts'
import { found } from '../inspection/checked.ts'

const GROWING = new Set(
  [
    ...['cash_ups', 'deliveries', 'delivery_attempts', 'payment_blocks', 'payment_sums', 'payments'],
    'settlements',
  ].map(name => `tillkit_${name}`),
)

async function freshDatabase({ create }: Engine) {
  const { address, drop } = await create()
  const db = hostDatabaseAt(address)
  const storage = storageAt(address)
  onTestFinished(async () => {
    await storage.close()
    await db.destroy()
    await drop()
  })
  return { db, storage }
}

/** The tables whose pages are compressed. */
async function compressedIn<Tables>(db: Kysely<Tables>): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = database() and create_options like '%page_compressed%'`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

overMariadb(engine => {
  describe('in compressed pages', () => conformanceIn({ compressed: true }, engine))

  test('what grows with payments is compressed where that is asked for, and at every later start', async () => {
    const { db, storage } = await freshDatabase(engine)
    await storage.migrate({ compressed: true })
    expect(await compressedIn(db)).toEqual(GROWING)
    await storage.migrate()
    await storage.migrate({ compressed: true })
    expect(await compressedIn(db)).toEqual(GROWING)
  })

  test('in partitions too', async () => {
    const { db, storage } = await freshDatabase(engine)
    await storage.migrate({ compressed: true, partitions: 2 })
    expect(await compressedIn(db)).toEqual(GROWING)
  })

  test('tables that are there stay as they are, and who asks for the other is told', async () => {
    const { db, storage } = await freshDatabase(engine)
    await storage.migrate()
    expect(await compressedIn(db)).toEqual(new Set())
    const refused = await storage.migrate({ compressed: true }).catch(error => error)
    expect(refused).toBeInstanceOf(DatabaseError)
    expect(refused.message).toContain('the tables are there already, not compressed, and are not made anew')
    expect(await compressedIn(db)).toEqual(new Set())
  })

  test('compressed ones too', async () => {
    const { db, storage } = await freshDatabase(engine)
    await storage.migrate({ compressed: true })
    await expect(storage.migrate({ compressed: false })).rejects.toThrow(
      'the tables are there already, compressed',
    )
    expect(await compressedIn(db)).toEqual(GROWING)
  })

  test('those that a host has made over are taken for what they are', async () => {
    const { db, storage } = await freshDatabase(engine)
    await storage.migrate()
    for (const table of GROWING)
      await sql`alter table ${sql.table(table)} page_compressed = 1, algorithm = inplace, lock = shared`.execute(
        db,
      )
    await storage.migrate({ compressed: true })
    expect(await compressedIn(db)).toEqual(GROWING)
    expect(await found(storage, 'tables')).toEqual([expect.stringContaining('ok: ')])
    expect(await found(storage, 'indexes')).toEqual([expect.stringContaining('ok: ')])
  })
})

overEveryEngine(engine => {
  const { name } = engine
  test('what does not say whether tables are compressed is named before anything is made', async () => {
    const { db, storage } = await freshDatabase(engine)
    for (const compressed of [1, 'zlib', null]) {
      const refusal = {
        code: 'invalid_input',
        message: expect.stringContaining('compressed must be true or false'),
      }
      await expect(storage.migrate({ compressed: compressed as never })).rejects.toMatchObject(refusal)
    }
    if (name !== 'MariaDB') {
      const refusal =
        name === 'MySQL'
          ? {
              name: 'DatabaseError',
              message: expect.stringContaining('an option of MariaDB, and this is MySQL'),
            }
          : { code: 'invalid_input', message: expect.stringContaining('an option of MariaDB, not of') }
      await expect(storage.migrate({ compressed: true })).rejects.toMatchObject(refusal)
    }
    await expect(sql`select * from tillkit_payments`.execute(db)).rejects.toThrow()
  })
})
