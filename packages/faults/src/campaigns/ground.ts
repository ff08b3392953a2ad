import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OwnServer, ownMariadb, ownMysql, ownPostgres } from '@tillkit/servers'
import type { EngineName } from '../engines/address.ts'
import { createDatabase, type Database, type Server, Unavailable } from '../servers/database.ts'
import { givenServer } from '../servers/given-server.ts'
import { databaseOfPair, type Pair } from '../servers/pair.ts'
import { smallDisk } from '../servers/small-disk.ts'
import type { Ground, Need } from './campaign.ts'

/** Megabytes that an engine's own files take, and some for what is written. */
const DISK_SIZES: Record<EngineName, number> = { sqlite: 16, postgres: 192, mysql: 256 }

/** The program of MySQL's server: servers of a campaign's own are MySQL's where it is named, and MariaDB's where it is not. */
const MYSQLD = process.env.TILLKIT_MYSQLD

/** Things to be undone, the last first, whatever fails. */
export interface Undo {
  add(undo: () => Promise<void>): void
  all(): Promise<void>
}

export function undoList(): Undo {
  const list: (() => Promise<void>)[] = []
  return {
    add: undo => void list.push(undo),
    async all() {
      for (let undo = list.pop(); undo; undo = list.pop()) await undo().catch(() => {})
    },
  }
}

/**
 * Finds or makes what a campaign needs, and hands `undo` what takes it away again. `given` takes the server that is there,
 * for what does no harm to one. Throws `Unavailable` where something cannot be had.
 */
export async function openGround(
  engine: EngineName,
  need: Need,
  { given, undo }: { given: boolean; undo: Undo },
): Promise<Ground> {
  const disk = need === 'small disk' ? await smallDisk(DISK_SIZES[engine]) : undefined
  if (disk) undo.add(disk.remove)
  if (engine === 'sqlite') return { engine, disk, createDatabase: () => sqliteFile(disk?.folder) }

  if (need === 'standby') return groundOfPairs(engine, undo)

  const theirs = given && need === 'any' ? await givenServer(engine) : undefined
  if (theirs) return { engine, createDatabase: () => createDatabase(theirs) }
  const server = await ownServer(engine, disk?.folder)
  undo.add(server.remove)
  return { engine, server, disk, createDatabase: () => createDatabase({ engine, url: server.url }) }
}

/** A server whose logs are small enough for a small disk. */
function ownServer(engine: Server['engine'], parent: string | undefined): Promise<OwnServer> {
  return startOwn(engine, parent).catch(error => {
    throw new Unavailable(`no server of its own could be started: ${error?.message}`)
  })
}

function startOwn(engine: Server['engine'], parent: string | undefined): Promise<OwnServer> {
  if (engine === 'postgres') {
    return ownPostgres({ parent, settings: { max_wal_size: '32MB', min_wal_size: '32MB' } })
  }
  const pool = { 'innodb-buffer-pool-size': '32M' }
  if (MYSQLD === undefined) {
    return ownMariadb({ parent, settings: { ...pool, 'innodb-log-file-size': '8M' } })
  }
  const logs = { 'innodb-redo-log-capacity': '8M', 'max-binlog-size': '8M' }
  return ownMysql({ program: MYSQLD, parent, settings: pool, running: logs })
}

/** A pair for each database: one of the two servers is lost in each round. */
function groundOfPairs(engine: EngineName, undo: Undo): Ground {
  let last: Pair | undefined
  return {
    engine,
    pair: () => last,
    async createDatabase() {
      const { pair, database } = await databaseOfPair()
      undo.add(database.drop)
      last = pair
      return database
    },
  }
}

async function sqliteFile(parent = tmpdir()): Promise<Database> {
  const folder = await mkdtemp(join(parent, 'tillkit-sqlite-'))
  return {
    address: { engine: 'sqlite', file: join(folder, 'till.db') },
    drop: () => rm(folder, { recursive: true, force: true }),
  }
}
