import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import SqliteDatabase from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { DatabaseError, kyselyStorage } from '../../src/index.ts'
import { sqliteStorage } from '../../src/sqlite/index.ts'
import { hostDatabaseAt } from '../engines/address.ts'

const run = promisify(execFile)
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillkit-files-'))
})

afterEach(() => rm(folder, { recursive: true, force: true }))

async function refusalOf(file: string): Promise<DatabaseError> {
  const storage = sqliteStorage({ file })
  const refused = await storage.migrate().catch(error => error)
  await storage.close()
  expect(refused).toBeInstanceOf(DatabaseError)
  expect(refused.message).not.toContain('\n')
  return refused
}

describe('a file that cannot be used is refused in one line', () => {
  test('not a database', async () => {
    const file = join(folder, 'till.db')
    await writeFile(file, 'Dear diary, '.repeat(1000))
    expect((await refusalOf(file)).message).toBe(
      `cannot open the database ${file}: it is not an SQLite database`,
    )
  })

  test.skipIf(process.platform === 'win32')('any, where this process may open no more files', async () => {
    const limited = 'ulimit -n 64 && exec "$0" --conditions=@tillkit/source --no-warnings "$@"'
    const program = join(import.meta.dirname, '../programs/few-files.ts')
    const { stdout } = await run('sh', ['-c', limited, process.execPath, program, folder])
    const refused = 'cannot open the database till.db: this process may open no more files'
    expect(JSON.parse(stdout)).toEqual([refused, refused, refused, 'migrated'])
  })

  test('a directory that is not there', async () => {
    const file = join(folder, 'missing', 'till.db')
    expect((await refusalOf(file)).message).toMatch(
      /^cannot open the database .*: its directory does not exist$/,
    )
    expect(await readdir(folder)).toEqual([])
  })

  test('a directory in its place', async () => {
    const file = join(folder, 'till.db')
    await mkdir(file)
    expect((await refusalOf(file)).message).toMatch(
      /^cannot open the database .*: the file cannot be opened or created$/,
    )
  })

  test('a path below a file', async () => {
    await writeFile(join(folder, 'file'), '')
    expect((await refusalOf(join(folder, 'file', 'till.db'))).message).toMatch(/^cannot open the database /)
  })
})

test('what could not be opened is opened once it can be', async () => {
  const file = join(folder, 'missing', 'till.db')
  const storage = sqliteStorage({ file })
  await expect(storage.merchants.list({ limit: 1 })).rejects.toThrow('its directory does not exist')
  await expect(storage.migrate()).rejects.toThrow('its directory does not exist')
  await mkdir(join(folder, 'missing'))
  await storage.migrate()
  expect(await storage.merchants.list({ limit: 1 })).toEqual([])
  await storage.close()
})

test('each commit is synced, by all connections', async () => {
  const prepared = vi.spyOn(SqliteDatabase.prototype, 'prepare')
  const storage = sqliteStorage({ file: join(folder, 'till.db') })
  await storage.migrate()
  await storage.merchants.list({ limit: 1 })
  const connections = new Set(prepared.mock.contexts as SqliteDatabase.Database[])
  prepared.mockRestore()
  expect(connections.size).toBe(2)
  for (const connection of connections) {
    const [mode, synchronous] = ['journal_mode', 'synchronous'].map(name =>
      connection.pragma(name, { simple: true }),
    )
    expect({ mode, synchronous }).toEqual({ mode: 'wal', synchronous: 2 })
  }
  await storage.close()
})

describe('options are checked when the storage is made', () => {
  test.each([
    [{ file: '' }, 'file'],
    [{ file: 1 as unknown as string }, 'file'],
    [{ file: 'till.db', lockWaitSeconds: -1 }, 'lockWaitSeconds'],
    [{ file: 'till.db', lockWaitSeconds: Number.NaN }, 'lockWaitSeconds'],
    [{ file: 'till.db', tablePrefix: 'pay_' } as { file: string }, 'tablePrefix is not an option'],
    [{ path: 'till.db' } as unknown as { file: string }, 'path is not an option'],
  ])('%o names %s', (connection, name) => {
    expect(() => sqliteStorage(connection)).toThrow(name)
  })

  test.each([
    [{ tablePrefix: 'a b"' }, 'tablePrefix must be'],
    [{ schema: 'tills' } as object, 'schema is an option of PostgreSQL'],
    [{ prefix: 'pay_' } as object, 'prefix is not an option'],
  ])('%o names %s', (options, name) => {
    expect(() => sqliteStorage({ file: 'till.db' }, options)).toThrow(name)
  })

  test('an unknown dialect', () => {
    const db = hostDatabaseAt({ dialect: 'sqlite', file: join(folder, 'till.db') })
    expect(() => kyselyStorage(db, 'oracle' as 'sqlite')).toThrow('dialect must be one of')
    return db.destroy()
  })
})

describe('close', () => {
  test('a storage that was never used', async () => {
    await sqliteStorage({ file: join(folder, 'till.db') }).close()
    expect(await readdir(folder)).toEqual([])
  })

  test('it stays closed, and no file is made', async () => {
    const storage = sqliteStorage({ file: join(folder, 'till.db') })
    await storage.close()
    const closed = { constructor: DatabaseError, message: 'the storage is closed' }
    await expect(storage.merchants.list({ limit: 1 })).rejects.toMatchObject(closed)
    await expect(storage.merchants.setWebhookKey('shop', 'key')).rejects.toMatchObject(closed)
    expect(await readdir(folder)).toEqual([])
  })

  test('leaves one file behind, with everything in it', async () => {
    const file = join(folder, 'till.db')
    const storage = sqliteStorage({ file })
    await storage.migrate()
    await storage.merchants.list({ limit: 1 })
    await storage.close()
    expect(await readdir(folder)).toEqual(['till.db'])
    const again = sqliteStorage({ file })
    expect(await again.merchants.list({ limit: 1 })).toEqual([])
    await again.close()
  })
})
