import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OwnServer, ownMariadb, ownPostgres } from '@tillkit/servers'
import type { Storage } from '@tillkit/storage'
import { memoryStorage } from '@tillkit/storage/memory'
import { mysqlStorage } from '@tillkit/storage-kysely/mysql'
import { postgresStorage } from '@tillkit/storage-kysely/postgres'
import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import { afterAll, describe } from 'vitest'

/** Opens storages for live and for test payments: each `open` is a process's own, on the same tables. */
export interface Place {
  /** The live till's storage; an empty one for each `name`. */
  live(name: string): Promise<Storage>
  /** What a sandbox is given; undefined for its own memory. */
  test(name: string): Promise<Storage | undefined>
  /** Whether ledgers outlive a sandbox. */
  lasts: boolean
}

interface DatabaseStorage extends Storage {
  migrate(): Promise<void>
  close(): Promise<void>
}

/** A server whose one database has live and test tables, or why there is none. */
interface Engine {
  name: string
  server: OwnServer | Error
  open(url: string, place: string): DatabaseStorage
}

const whyNot = (error: Error) => error

const ENGINES: Engine[] = [
  {
    name: 'PostgreSQL',
    server: await ownPostgres().catch(whyNot),
    open: (connectionString, schema) => postgresStorage({ connectionString }, { schema }),
  },
  {
    name: 'MariaDB',
    server: await ownMariadb().catch(whyNot),
    open: (uri, place) => mysqlStorage({ uri }, { tablePrefix: place }),
  },
]

/** Runs tests with ledgers in memory, in SQLite, and in each server beside the live tables, where it is installed. */
export function everywhere(work: (place: Place) => void): void {
  describe('in memory', () => {
    const storages = new Map<string, Storage>()
    work({
      async live(name) {
        const storage = storages.get(name) ?? memoryStorage()
        storages.set(name, storage)
        return storage
      },
      test: async () => undefined,
      lasts: false,
    })
  })

  describe('in SQLite', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sandbox-'))
    const open: { close(): Promise<void> }[] = []
    const storageIn = async (file: string) => {
      const storage = sqliteStorage({ file: join(folder, file) })
      open.push(storage)
      await storage.migrate()
      return storage
    }
    afterAll(async () => {
      for (const storage of open) await storage.close()
      rmSync(folder, { recursive: true })
    })
    work({ live: name => storageIn(`${name}.db`), test: name => storageIn(`${name}-test.db`), lasts: true })
  })

  for (const engine of ENGINES) inServer(engine, work)
}

function inServer({ name, server, open: openAt }: Engine, work: (place: Place) => void): void {
  if (server instanceof Error) {
    if (process.env.CI === 'true') throw server
    describe.skip(`in ${name}: ${server.message}`, () => work({} as Place))
    return
  }
  describe(`in ${name}`, () => {
    const open: DatabaseStorage[] = []
    const storageIn = async (place: string) => {
      const storage = openAt(server.url, place)
      open.push(storage)
      await storage.migrate()
      return storage
    }
    afterAll(async () => {
      for (const storage of open) await storage.close()
      await server.remove()
    })
    work({ live: name => storageIn(`live_${name}_`), test: name => storageIn(`test_${name}_`), lasts: true })
  })
}
