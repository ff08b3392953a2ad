import { DatabaseError, type Storage } from '@tillkit/storage'
import { CompiledQuery } from 'kysely'
import { onCitus } from '../citus/on-citus.ts'
import type { Connections } from '../connections/connections.ts'
import { stillLaidOut } from '../connections/still-laid-out.ts'
import { type DatabaseStorage, databaseStorage, type StorageParts } from '../database-storage.ts'
import { databaseOf, storageOf } from '../kysely-storage.ts'
import { inPlace, type Placed } from '../schema/in-place.ts'
import type { NameOptions } from '../schema/names.ts'
import { readsOf, type Session } from '../session/session.ts'
import { type Followed, Lag } from './lag.ts'
import { readFromReplica } from './read-from-replica.ts'

/** A server and how it is reached. */
type Server = StorageParts & { connections: Connections }

/** A replica, and how far behind it may be to be asked. */
export interface Replica {
  server: Server
  maxLagSeconds: number
  /** What it and the server that takes writes are asked. */
  follow(primary: Session, replica: Session): Followed
}

/** The part of the time for a read that a replica has to answer in, so that there is some left to ask elsewhere. */
const SHARE = 0.2

/**
 * The storage of a server, and of its replica where it has one. Where no schema is named, it is in the one in which a
 * session of the server first finds the tables.
 */
export function storageInPlace(
  open: (placed: Placed) => Server,
  names: NameOptions,
  replica: Replica | undefined,
): () => DatabaseStorage {
  const server = open(found => {
    if (replica && found.distributed) {
      throw new DatabaseError(
        'the tables are distributed: the option replica is for one server, leave it out',
      )
    }
    placed(found)
  })
  const follower = replica && followerOf(server, replica)
  const { current, placed } = inPlace(({ schema = names.schema, distributed }, isCurrent) =>
    withReplica(
      {
        ...server,
        dialect: distributed ? onCitus(server.dialect) : server.dialect,
        names: { ...names, schema },
        connections: stillLaidOut(server.connections, isCurrent),
        isCurrent,
      },
      follower,
    ),
  )
  return current
}

/** What is asked of a replica, and whether it is near enough: the same wherever the tables are found. */
interface Follower {
  read: Session
  lag: Lag
  server: Server
}

function followerOf(primary: Server, { server, follow, maxLagSeconds }: Replica): Follower {
  const read = quickReads(server)
  return { read, lag: new Lag(follow(quickReads(primary), read), maxLagSeconds), server }
}

function withReplica(primary: Server, follower: Follower | undefined): DatabaseStorage {
  const storage = databaseStorage(primary)
  if (!follower) return storage
  const { server, read, lag } = follower
  return {
    ...readFromReplica(storage, portOf(server, read), lag),
    close: async () => void (await Promise.all([storage.close(), server.close()])),
  }
}

function quickReads({ connections, dialect, limits }: Server): Session {
  return readsOf(connections, dialect, limits.readTimeoutSeconds * SHARE)
}

/** The port over a replica, as far as it reads: whatever would write is refused, and no total is kept. */
function portOf({ db, dialect, names, limits, connections }: Server, read: Session): Storage {
  const database = databaseOf(db, dialect, names, limits, { connections })
  const write = () => Promise.reject(new DatabaseError('a replica takes no writes'))
  return storageOf({ ...database, read, write, counting: { ...database.counting, ahead: false } })
}

/** The one value that a query answers. */
export async function valueAsked<Value>(
  read: Session,
  sql: string,
  parameters: unknown[] = [],
): Promise<Value | undefined> {
  const row = await read.first(CompiledQuery.raw(sql, parameters) as CompiledQuery<{ value: Value }>)
  return row?.value
}
